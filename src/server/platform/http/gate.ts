import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { turnedAway } from '../../../domain/shared/overload.ts'
import type { CallSockets } from '../../calls/upgrade.ts'

/** Answers "starting" until the application is there, so that the port is ours before anything slow begins. */
export function openGate() {
  let current: RequestListener = (_request, response) => {
    response
      .writeHead(503, {
        ...{ 'retry-after': '1', [turnedAway.header]: '1' },
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
    /** From now on /readyz is red, so that a proxy asks somebody else, and every answer is its connection's last. */
    leave: () => {
      leaving = true
    },
    /** Nothing else is upgraded: it is answered as if nobody had asked for that. */
    upgrades: (request: IncomingMessage) => calls?.takes(request) ?? false,
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      void calls?.upgrade(request, socket, head),
    openCalls: (sockets: CallSockets) => {
      calls = sockets
    },
  }
}

/** A connection that is kept may bring a request at the moment it is closed: whoever keeps it is told before. */
function farewell(request: IncomingMessage, response: ServerResponse) {
  response.setHeader('connection', 'close')
  if (request.url?.split('?', 1)[0] !== '/readyz') return
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"ready":false,"stopping":true}')
}

export type Gate = ReturnType<typeof openGate>
