import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import type { ReactElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { requestOf } from './kit/request.ts'
import { databaseRefusal } from './platform/database/client.ts'
import { networkOf } from './platform/http/network.ts'
import { turnstile } from './platform/storage/pictures.ts'
import { log } from './platform/telemetry/log.ts'

/** One page in each turn of the loop, fair among people: what else is under way goes on between two of them. */
const inTurn = turnstile(1, { oneEach: false })

/**
 * Renders a page and sends it in one piece, to people and robots alike: no screen defers its data, so there is
 * nothing to stream, and a page whose rendering failed halfway still gets its own status.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...entry }: EntryContext,
  context: RouterContextProvider,
) {
  const { caller, nonce, outcome, requestId } = requestOf(context)
  const attributes = nonce ? { nonce } : {}
  // Read before the rendering, which would otherwise wait for it piece by piece, each in a boundary of its own.
  const handoff = serverHandoffStream ? await text(serverHandoffStream) : ''
  const app = <ServerRouter context={entry} url={request.url} {...attributes} />
  const onError = (err: unknown) => log.error({ err, req: requestId }, 'render failed')
  const atOnce = await inTurn(
    () => setImmediate().then(() => renderedAtOnce(app)),
    caller.sessionId ?? networkOf(caller.address),
  )
  const { page, failed } = atOnce ?? (await renderedInTime(app, attributes, onError))
  const html = withHandoff(withTrustedTypes(scriptsLast(page), nonce), handoff, nonce)
  headers.set('content-type', 'text/html; charset=utf-8')
  const answer = new Response(html, { status: failed ? 500 : shownStatus(status, entry), headers })
  outcome.document = { answer, html }
  return answer
}

/** Of a form that is not on the page, where its reader may not see the page itself: that it is not there. */
function shownStatus(
  status: number,
  { staticHandlerContext: { errors } }: Pick<EntryContext, 'staticHandlerContext'>,
) {
  const refusal = Object.values(errors ?? {}).find(isRouteErrorResponse)
  return status === 400 && refusal ? refusal.status : status
}

type Rendered = { page: string; failed: boolean }

/** What React leaves in place of a part that suspended or failed. */
const missingPart = '<!--$!-->'

/** A page in one go, a fifth less work than a stream; null where a part suspended or failed, which the stream reports. */
function renderedAtOnce(app: ReactElement): Rendered | null {
  try {
    const page = `<!DOCTYPE html>${renderToString(app)}`
    return page.includes(missingPart) ? null : { page, failed: false }
  } catch {
    return null
  }
}

/** A page that waits for what is not loaded yet, such as the code of a window that it opens with. */
async function renderedInTime(
  app: ReactElement,
  attributes: { nonce?: string },
  onError: (error: unknown) => void,
): Promise<Rendered> {
  let failed = false
  const stream = await new Promise<PassThrough>((resolve, reject) => {
    const { pipe } = renderToPipeableStream(app, {
      ...attributes,
      // A large part that was waited for stands in its place too, and not behind a script that moves it there.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => resolve(pipe(new PassThrough())),
      onShellError: reject,
      onError(error) {
        failed = true
        onError(error)
      },
    })
  })
  return { page: await text(stream), failed }
}

/** The page with its scripts fetched after its style and its font: it can be read and sent without them. React Router has no setting for it. */
const scriptsLast = (page: string) =>
  page.replaceAll(' rel="modulepreload"', ' rel="modulepreload" fetchpriority="low"')

/**
 * What a browser may make HTML or a script's address of, as the policy demands: text, React's empty script, the lines of
 * icons, and addresses of our own. Zod is told not to compile functions from text, which the policy refuses.
 */
const trustedTypes = String.raw`self.__zod_globalConfig={jitless:true};self.trustedTypes?.createPolicy('default',{createHTML:(text)=>/^([^<]*|\x3cscript>\x3c\/script>|(<(path|circle|line|rect|polyline|polygon|ellipse)( (?!on)[\w-]+="[^"<>]*")*\/>)+)$/.test(text)?text:null,createScriptURL:(url)=>new URL(url,location.href).origin===location.origin?url:null})`

/** Before any other script of the page; the browser has no such setting. */
const withTrustedTypes = (page: string, ofPage: string) =>
  page.replace('<head>', (head) => `${head}<script nonce="${ofPage}">${trustedTypes}</script>`)

const ending = '</body></html>'
const escapes: Record<string, string> = { '&': '\\u0026', '<': '\\u003c', '>': '\\u003e' }

/** The page with what its loaders returned, in the script that React Router's own rendering would write. */
function withHandoff(page: string, handoff: string, ofPage: string): string {
  const literal = JSON.stringify(handoff).replace(/[&<>]/g, (sign) => escapes[sign]!)
  const controller = 'window.__reactRouterContext.streamController'
  const script = `<script nonce="${ofPage}">${controller}.enqueue(${literal});${controller}.close();</script>`
  return `${page.slice(0, page.lastIndexOf(ending))}${script}${ending}`
}

/** Bugs go to the log with their request; a response thrown on purpose, such as a 404, is in the request's own line. */
export const handleError: HandleErrorFunction = (err, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(err)) return
  const refusal = databaseRefusal(err)
  const { outcome, requestId } = requestOf(context)
  if (refusal) outcome.fault = refusal.status
  else log.error({ err, req: requestId }, 'unexpected error')
}
