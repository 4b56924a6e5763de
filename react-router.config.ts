import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  ssr: true,
  serverBuildFile: 'app.js',
  routeDiscovery: { mode: 'initial' },
  // Split, the piece with a screen's clientAction would take the imports of its server's part along.
  splitRouteModules: false,
} satisfies Config
