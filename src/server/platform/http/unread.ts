import type { MiddlewareHandler } from 'hono'

/** An answer to HEAD has no body: one that was begun, as a stream or an export, is let go, since nobody will read it to its end. */
export const unread: MiddlewareHandler = async (c, next) => {
  await next()
  const { body } = c.res
  if (c.req.method !== 'HEAD' || !body) return
  c.res = new Response(null, c.res)
  await body.cancel()
}
