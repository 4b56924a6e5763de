import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { fault, nonce, requestId } from '../server/app/context.ts'
import { databaseRefusal } from '../server/platform/database/client.ts'
import { log } from '../server/platform/telemetry/log.ts'

/**
 * Renders a page and sends it in one piece, to people and robots alike: no screen defers its data, so there is
 * nothing to stream, and a page whose rendering failed halfway still gets its own status.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  const attributes = context.get(nonce) ? { nonce: context.get(nonce) } : {}
  let answered = status
  const html = await new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <ServerRouter context={entry} url={request.url} {...attributes} />,
      {
        ...attributes,
        onAllReady: () => pipe(whole(resolve)),
        onShellError: reject,
        onError(err) {
          answered = 500
          log.error({ err, req: context.get(requestId) }, 'render failed')
        },
      },
    )
  })
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(html, { status: answered, headers })
}

/** Collects the chunks of a page and returns them as one. */
function whole(ready: (page: Uint8Array<ArrayBuffer>) => void): Writable {
  const pieces: Uint8Array[] = []
  return new Writable({
    write(piece: Uint8Array, _encoding, next) {
      pieces.push(piece)
      next()
    },
    final(done) {
      ready(Buffer.concat(pieces))
      done()
    },
  })
}

/** Bugs go to the log with their request; a response thrown on purpose, such as a 404, is in the request's own line. */
export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(err)) return
  const refusal = databaseRefusal(err)
  if (refusal) context.set(fault, refusal.status)
  else log.error({ err, req: context.get(requestId) }, 'unexpected error')
}
