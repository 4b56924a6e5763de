import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { overload } from '../../../domain/shared/overload.ts'
import type { CallSockets } from '../../calls/socket.ts'

/** Answers "starting" until the application is there, so that the port is ours before anything slow begins. */
export function openGate() {
  let current: RequestListener = (_request, response) => {
    response
      .writeHead(503, {
        'retry-after': '1',
        [overload.header]: '1',
        'content-type': 'text/plain; charset=utf-8',
      })
      .end('Arrancando…')
  }
  let calls: CallSockets | undefined
  let leaving = false
  return {
    listener: ((request, response) => {
      if (leaving) farewell(request, response)
      if (!response.writableEnded) current(request, response)
    }) as RequestListener,
    open: (listener: RequestListener) => {
      current = listener
    },
    /** From now on /readyz is red, so that a proxy asks another person, and every answer is its connection's last. */
    leave: () => {
      leaving = true
    },
    /** Nothing else is upgraded: it is answered as if no one had asked for that. */
    upgrades: (request: IncomingMessage) => calls?.takes(request) ?? false,
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      void calls?.upgrade(request, socket, head),
    openCalls: (sockets: CallSockets) => {
      calls = sockets
    },
  }
}

/** A connection that is kept may bring a request at the moment it is closed: the client is warned before. */
function farewell(request: IncomingMessage, response: ServerResponse) {
  response.setHeader('connection', 'close')
  if (request.url?.split('?', 1)[0] !== '/readyz') return
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"ready":false,"stopping":true}')
}

export type Gate = ReturnType<typeof openGate>

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
