import path from 'node:path'
import { secretFile } from '../../accounts/secret.ts'
import { type Env, parseEnv } from '../../app/env.ts'
import { openDatabase } from '../database/database.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { openDrive } from '../storage/drive.ts'
import { missingFiles } from '../storage/missing.ts'
import { makeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

/** `npm run backup`: database and files into a new folder, while the app runs or not. */
export async function backup(source: NodeJS.ProcessEnv): Promise<void> {
  const env = parseEnv(source)
  const { bytes, files, folder, key } = await makeBackup(env, new Date())
  console.log(`Respaldo listo en ${folder}: ${files} archivos, ${Math.ceil(bytes / 1_000_000)} MB.`)
  if (key?.kept === 'apart')
    console.log(
      `La clave no va dentro: guarda aparte ${env.AUTH_SECRET ? 'AUTH_SECRET' : secretFile(env.dataDir)}. Sin ella no se abren los segundos factores.`,
    )
}

const withoutKey = '--sin-clave'

/** `npm run restore -- carpeta`: puts a backup into an empty place, and looks at what it made of it; with `--sin-clave`, where its key was lost. */
export async function restore(source: NodeJS.ProcessEnv, folder = '', option?: string): Promise<void> {
  if (!folder)
    throw new Error('Falta la carpeta del respaldo: npm run restore -- data/backups/2026-01-31T060000Z')
  if (option !== undefined && option !== withoutKey) throw new Error(`No conozco la opción ${option}.`)
  const env = parseEnv(source)
  const { at } = await restoreBackup(env, path.resolve(folder), { withoutKey: option === withoutKey })
  const { missing, people } = await lookAt(env)
  console.log(`Restaurado como estaba el ${at}: ${people} personas en la base de datos.`)
  if (missing.length > 0)
    console.warn(
      `Faltan ${missing.length} archivos que ya se estaban borrando: ${missing.slice(0, 5).join(', ')}`,
    )
}

/** Opens what was restored, so that it recovers, and counts what can be counted. Its schema stays as it was. */
async function lookAt(env: Env) {
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded(env.dataDir)
  const connection = embedded
    ? { ...embedded.connection, database: 'carga' }
    : { connectionString: env.external?.sessions }
  const db = openDatabase(connection, 3)
  try {
    const { rows } = await db.$client.query<{ count: number }>('select count(*)::int as count from users')
    return { people: rows[0]?.count ?? 0, missing: await missingFiles(db, openDrive(env.storage)) }
  } finally {
    await db.$client.end()
    await embedded?.stop()
  }
}
