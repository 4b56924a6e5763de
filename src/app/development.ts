import type { RequestListener } from 'node:http'
import { createServer } from 'vite'

/** The same server on the sources: screens reload in place, server files take effect at the next request. */
export async function developmentServer(source: NodeJS.ProcessEnv) {
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
  const load = () => vite.ssrLoadModule('./src/app/app.ts') as Promise<typeof import('./app.ts')>
  const { start } = await load()
  // Vite's own listener exits at once; ours first lets requests end and stops the database.
  process.removeAllListeners('SIGTERM')
  await start(
    source,
    (deps) => ({
      fetch: async (request, bindings) => (await load()).createApp(deps).fetch(request, bindings),
    }),
    {
      front:
        (app): RequestListener =>
        (request, response) =>
          vite.middlewares(request, response, () => app(request, response)),
    },
  )
}
