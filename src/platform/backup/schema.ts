import { z } from 'zod'
import type { openDrive } from '../storage/drive.ts'

const file = z.object({
  path: z.string().regex(/^[^/\\]/),
  bytes: z.number().int().min(0),
  sha256: z.string().length(64),
})

const common = {
  product: z.literal('carga-en-casa'),
  at: z.iso.datetime(),
  /** `physical`: a copy of the embedded server's cluster, which the same major version of PostgreSQL opens; `dump`: pg_dump's own format. */
  kind: z.enum(['physical', 'dump']),
  /** Major version of PostgreSQL. */
  postgres: z.number().int(),
  files: z.array(file),
}

/** The key that signs sessions and encrypts secrets: its fingerprint, and whether it is included under a passphrase. */
const key = z.object({ print: z.string(), kept: z.enum(['sealed', 'apart']) })

export const secondManifest = z.object({ ...common, format: z.literal(2), key: key.nullable() })

/** The first format: the key in clear, and no digest of the list. */
export const firstManifest = z.object({ ...common, format: z.literal(1), secret: z.boolean() })

export type BackedUpFile = z.infer<typeof file>

export type BackedUpKey = z.infer<typeof key>

export type NewManifest = z.infer<typeof secondManifest>

/** The manifest of either format. */
export type Manifest = Omit<NewManifest, 'format' | 'key'> & { key: BackedUpKey | { kept: 'plain' } | null }

/** The key, encrypted with a passphrase. */
export const sealedKey = z.object({ salt: z.string(), sealed: z.string() })

/** The fields of every version. */
export const anyFormat = z.object({ format: z.number() })

/** The time of the newest backup, kept beside the backups. */
export const lastBackup = z.object({ at: z.iso.datetime({ offset: true }), ok: z.boolean() })

/** What backup and restore read of the environment (app/env.ts). */
export type BackupEnv = {
  AUTH_SECRET?: string | undefined
  BACKUP_DIR?: string | undefined
  BACKUP_KEEP: number
  BACKUP_PASSPHRASE?: string | undefined
  DATABASE_URL?: string | undefined
  PG_BIN?: string | undefined
  dataDir: string
  external?: { sessions: string } | null
  storage: Parameters<typeof openDrive>[0]
}
