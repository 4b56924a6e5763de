import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import { serviceWorkerPolicy } from './security.ts'

/** What the build made for browsers: named by what is in it, and so kept for good, but for the service worker. */
export function builtFiles(root: string) {
  const app = new Hono()
  const files = serveStatic({ root, precompressed: true })
  app.use('/assets/*', immutable, files)
  app.use('/favicon.svg', aDay, files)
  app.use('/sw.js', asServiceWorker, files)
  return app
}

const immutable: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.res.headers.set('cache-control', 'public, max-age=31536000, immutable')
}

/** Its name never changes, and it hardly does: one look a day. */
const aDay: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.res.headers.set('cache-control', 'public, max-age=86400')
}

/** It fetches what it keeps, and is looked at anew each time: an old one would go on serving an old version. */
const asServiceWorker: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('cache-control', 'no-cache')
  c.res.headers.set('content-security-policy', serviceWorkerPolicy)
}
