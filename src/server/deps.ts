import type { Db } from './database/database.ts'
import type { Env, Site } from './env.ts'
import type { Drive } from './files/drive.ts'
import type { Streams } from './live/streams.ts'

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
