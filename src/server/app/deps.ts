import type { Db } from '../platform/database/client.ts'
import type { Streams } from '../platform/live/streams.ts'
import type { Drive } from '../platform/storage/drive.ts'
import type { Env, Site } from './env.ts'

/** What the application stands on, opened once at the start. `assets` is the folder of built files, relative to the process's own. */
export type Deps = {
  db: Db
  drive: Drive
  env: Env
  secret: string
  site: Site
  streams: Streams
  assets: string
}
