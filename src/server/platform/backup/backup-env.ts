import { z } from 'zod'

/** Where backups go, in the environment. */
export const backupVariables = {
  /** By default `backups` in DATA_DIR. */
  BACKUP_DIR: z.string().trim().min(1).optional(),
  /** So many are kept; older ones are removed after a new one is whole. */
  BACKUP_KEEP: z.coerce.number().int().min(1).max(1000).default(14),
  /** Seals the key that a backup takes along; without it the key is kept apart. */
  BACKUP_PASSPHRASE: z.string().min(16).optional(),
  /** Folder with pg_dump and pg_restore, for a database of DATABASE_URL. */
  PG_BIN: z.string().trim().min(1).optional(),
}
