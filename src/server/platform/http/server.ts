import { createServer } from 'node:http'
import type { Gate } from './gate.ts'

/**
 * How long a client may take, in milliseconds: for the head of a request, for the whole of it (a photo over a poor network
 * is one), without anything going either way (event streams beat more often), and between two requests of a connection
 * (longer than proxies keep them, so that none is closed under a request that comes).
 */
const usual = { head: 15_000, request: 180_000, silence: 120_000, between: 75_000, look: 2_000 }

/** The HTTP server. Who sends or reads too slowly loses the connection: what is kept for it is bounded, and so is how long. */
export function openServer(gate: Gate, times = usual) {
  const server = createServer(
    {
      headersTimeout: times.head,
      requestTimeout: times.request,
      keepAliveTimeout: times.between,
      connectionsCheckingInterval: times.look,
      shouldUpgradeCallback: gate.upgrades,
    },
    gate.listener,
  )
  server.setTimeout(times.silence)
  server.on('upgrade', gate.upgrade)
  return server
}
