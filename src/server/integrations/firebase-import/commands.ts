import { readFile } from 'node:fs/promises'
import { parseEnv } from '../../app/env.ts'
import { openData } from '../../app/start.ts'
import { bringOver } from './apply.ts'
import { readAuthUsers, readHashing, readProfiles } from './export-files.ts'
import { planOf } from './plan.ts'
import { reportOf } from './report.ts'

/**
 * `npm run import -- people.json users.json hash.txt [--aplicar]`: brings a Firebase project's people over. Without
 * the option it only tells what it would do.
 */
export async function importPeople(source: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const [people, profiles, hashing, option] = args
  if (!people || !profiles || !hashing || (option && option !== '--aplicar'))
    throw new Error('Se usa así: npm run import -- usuarios.json coleccion.json parametros.txt [--aplicar]')
  const [first, second, third] = await Promise.all([people, profiles, hashing].map(contentOf))
  const plan = planOf(readAuthUsers(first!), readProfiles(second!), readHashing(third!))
  const env = parseEnv(source)
  const { close, db } = await openData(env, { join: true })
  try {
    const dry = option === undefined
    const google = env.provider?.issuer.replace(/\/$/, '') === 'https://accounts.google.com'
    console.log(reportOf(plan, await bringOver(db, plan.newcomers, { dry, google }), dry))
  } finally {
    await close()
  }
}

const contentOf = (file: string) =>
  readFile(file, 'utf8').catch(() => {
    throw new Error(`No se puede leer ${file}`)
  })
