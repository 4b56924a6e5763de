import { UNSAFE_decodeViaTurboStream, UNSAFE_SingleFetchRedirectSymbol } from 'react-router'
import { count } from './count.ts'

/** A browser: the cookies it keeps, and the address it comes from. */
export type Visitor = { cookies: Map<string, string>; address: string }

/** What came back. `value` is what a `.data` request brought, decoded. */
export type Answer = {
  status: number
  /** Where a redirect leads, of a document and of a `.data` request alike, without what leads on from there. */
  location: string | null
  /** The same, whole. */
  onward: string | null
  text: string
  value: unknown
  headers: Headers
  /** The cookies set, to the letter. */
  cookies: string[]
}

/** Text, bytes, also as they arrive, or a form with a file in it. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | FormData
export type Form = Record<string, string> | URLSearchParams
/** `origin: null` leaves the header out, which no browser does. */
export type PostOptions = { origin?: string | null; headers?: Record<string, string> }

type Host = { fetch: (request: Request, bindings?: object) => Response | Promise<Response> }

let addresses = 0

/** A browser without cookies, at an address of its own, so that limits by address never meet. */
export const newVisitor = (address?: string): Visitor => {
  addresses++
  return { cookies: new Map(), address: address ?? `10.0.${addresses >> 8}.${addresses & 255}` }
}

/** Requests to an application as a browser at `base` makes them; whoever makes one keeps the cookies of the answer. */
export function browserOf(app: Host, base: string) {
  type Init = { method?: string; body?: Body; headers?: object }
  const ask = async (path: string, as: Visitor, init: Init) => {
    const cookie = [...as.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers({ ...(cookie && { cookie }), ...init.headers })
    const request = new Request(new URL(path, base), { ...init, headers, duplex: 'half' } as RequestInit)
    count('pages')
    const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: as.address } } })
    keepCookies(as, answer)
    return answer
  }
  const send = async (path: string, as: Visitor, init: Init) => read(await ask(path, as, init))
  return {
    /** The answer itself, its body not read: for what goes on and on. */
    open: (path: string, as: Visitor = newVisitor(), headers = {}) => ask(path, as, { headers }),
    /** Any request at all, as it is written. */
    send: (path: string, as: Visitor, init: Init) => send(path, as, init),
    /** GET of a document. */
    visit: (path: string, as: Visitor = newVisitor()) => send(path, as, {}),
    /** What a navigation inside the page asks: the loaders' data of a path. */
    data: (path: string, as: Visitor = newVisitor()) => send(dataPath(path), as, {}),
    /** A form sent without JavaScript, or, to a `.data` path, with it. */
    post: (path: string, form: Form, as: Visitor = newVisitor(), options: PostOptions = {}) => {
      const origin = options.origin === undefined ? new URL(base).origin : options.origin
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        ...(origin !== null && { origin }),
        ...options.headers,
      }
      return send(path, as, { method: 'POST', body: new URLSearchParams(form).toString(), headers })
    },
  }
}

/** The address of a path's data: /_.data for the root, /x.data for /x. */
export function dataPath(path: string): string {
  const [pathname = '/', query] = path.split('?')
  return `${pathname === '/' ? '/_' : pathname}.data${query === undefined ? '' : `?${query}`}`
}

function keepCookies({ cookies }: Visitor, answer: Response) {
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/;\s*max-age=0\b/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

async function read(answer: Response): Promise<Answer> {
  const { headers, status } = answer
  const text = await answer.text()
  const encoded = text && headers.get('content-type')?.startsWith('text/x-script')
  const value = encoded ? await decode(text) : undefined
  // The host's own way to lead a data request elsewhere, and the router's.
  // Of a HEAD, nothing says where.
  const told = status === 202 && value ? redirectIn(value) : headers.get('x-remix-redirect')
  const onward = told ?? headers.get('location')
  return { status, location: bare(onward), onward, text, value, headers, cookies: headers.getSetCookie() }
}

/** A guard's way to a sign-in or a profile, without the way back. */
function bare(onward: string | null): string | null {
  const [path, query] = onward?.split('?') ?? []
  if (path !== '/signin' && path !== '/completion') return onward
  const kept = new URLSearchParams(query)
  for (const name of ['next', 'sesion']) kept.delete(name)
  return kept.size > 0 ? `${path}?${kept}` : path
}

/** React Router tells a loaders' redirect under a symbol of its own, and an action's as it is. */
function redirectIn(value: unknown): string | undefined {
  type Redirect = { redirect?: string }
  const told = value as Redirect & { [UNSAFE_SingleFetchRedirectSymbol]?: Redirect }
  return (told[UNSAFE_SingleFetchRedirectSymbol] ?? told).redirect
}

async function decode(text: string): Promise<unknown> {
  const decoded = await UNSAFE_decodeViaTurboStream(new Blob([text]).stream(), globalThis as never)
  await decoded.done
  return decoded.value
}
