import type { Context } from 'hono'
import type { HttpEnv } from './types.ts'

/** The address limits count by: the socket's, or the one that the outermost of so many trusted proxies wrote. What a client writes itself never counts. */
export function clientAddress(c: Context<HttpEnv>, proxies: number): string {
  const told = proxies > 0 ? c.req.header('x-forwarded-for')?.split(',') : undefined
  // Who came past an outer proxy was written down by fewer of them.
  const forwarded = told?.at(-Math.min(proxies, told.length))?.trim()
  return forwarded || c.env?.incoming?.socket.remoteAddress || '127.0.0.1'
}
