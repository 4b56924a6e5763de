import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import { turnedAway } from '../../domain/turned-away.ts'
import type { CallSockets } from '../calls/upgrade.ts'

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
  return {
    listener: ((request, response) => current(request, response)) as RequestListener,
    open: (listener: RequestListener) => {
      current = listener
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

export type Gate = ReturnType<typeof openGate>
