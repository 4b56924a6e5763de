import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { overload } from '../../shared/overload.ts'
import { bareHeaders } from './security.ts'

/** Who answers requests for a socket: `takes` says which are theirs. */
type Sockets = {
  takes: (request: IncomingMessage) => boolean
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown
}

/** Responds "starting" until the application is ready: the port is taken before anything slow begins. */
export function openGate({ https = false } = {}) {
  let current: RequestListener = (_request, response) => {
    response
      .writeHead(503, {
        'retry-after': '1',
        [overload.header]: '1',
        ...bareHeaders(https),
        'content-type': 'text/plain; charset=utf-8',
      })
      .end('Arrancando…')
  }
  let calls: Sockets | undefined
  let leaving: { replaced: boolean } | undefined
  return {
    listener: ((request, response) => {
      if (leaving) farewell(request, response, { ...leaving, https })
      if (!response.writableEnded) current(request, response)
    }) as RequestListener,
    open: (listener: RequestListener) => {
      current = listener
    },
    /**
     * From now on every response closes its connection, and /readyz fails, so that a proxy picks another process; not
     * where a process at the same port has replaced this one.
     */
    leave: (how: { replaced: boolean }) => {
      leaving = how
    },
    /** Other upgrade requests are treated as plain requests. */
    upgrades: (request: IncomingMessage) => calls?.takes(request) ?? false,
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      void calls?.upgrade(request, socket, head),
    openCalls: (sockets: Sockets) => {
      calls = sockets
    },
  }
}

/** A kept-alive connection could carry a request at the moment it closes: the client is warned before. */
function farewell(
  request: IncomingMessage,
  response: ServerResponse,
  { https, replaced }: { https: boolean; replaced: boolean },
) {
  response.setHeader('connection', 'close')
  if (request.url?.split('?', 1)[0] !== '/readyz') return
  response
    .writeHead(replaced ? 200 : 503, { ...bareHeaders(https), 'content-type': 'application/json' })
    .end(replaced ? '{"ready":true}' : '{"ready":false,"stopping":true}')
}

export type Gate = ReturnType<typeof openGate>

/**
 * Timeouts of a client, in milliseconds: the head of a request, the whole request (such as a photo over a poor network),
 * silence in both directions (event streams send more often), and between two requests of a connection (longer than proxies
 * keep them, so that none closes under an arriving request).
 */
const usual = { head: 15_000, request: 300_000, silence: 120_000, between: 75_000, look: 2_000 }

/** The HTTP server. Clients that send or read too slowly are disconnected: memory and time for each are bounded. */
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
