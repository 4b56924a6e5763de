import { renderToReadableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { nonce, requestId } from '../server/context.ts'
import { log } from '../server/log.ts'

/** Renders a page. No screen defers its data, so the whole page is ready with its shell, for people and robots alike. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
) {
  const own = context.get(nonce)
  const id = context.get(requestId)
  let answered = status
  const body = await renderToReadableStream(
    <ServerRouter context={entry} url={request.url} {...(own && { nonce: own })} />,
    {
      ...(own && { nonce: own }),
      signal: request.signal,
      onError(err) {
        answered = 500
        if (!request.signal.aborted) log.error({ err, req: id }, 'render failed')
      },
    },
  )
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(body, { status: answered, headers })
}

/** Bugs go to the log with their request; an answer thrown on purpose, such as a 404, stands in the request's own line. */
export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(err)) return
  log.error({ err, req: context.get(requestId) }, 'unexpected error')
}
