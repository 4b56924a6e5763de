import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  ssr: true,
  serverBuildFile: 'app.js',
  routeDiscovery: { mode: 'initial' },
} satisfies Config
