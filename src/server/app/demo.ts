import { kindLabels } from '../../domain/access/actor.ts'
import type { Modules } from '../../domain/access/routes.ts'
import type { Db } from '../platform/database/database.ts'
import type { Drive } from '../platform/storage/drive.ts'

/** The password of every account of the demo world. */
export const demoPassword = 'carga-en-casa'

/** The accounts of the demo world that sign in, as /signin lists them. */
export const demoSignIns: readonly { email: string; label: string }[] = [
  { email: 'cliente@demo.mx', label: 'Cliente' },
  { email: 'cliente2@demo.mx', label: 'Cliente con visita apartada' },
  { email: 'cliente3@demo.mx', label: 'Cliente con instalación por agendar' },
  { email: 'cliente4@demo.mx', label: 'Cliente con cotización por aceptar' },
  { email: 'cliente5@demo.mx', label: 'Cliente con anticipo por pagar' },
  { email: 'nuevo@demo.mx', label: 'Cliente sin perfil completo' },
  { email: 'gerente@demo.mx', label: kindLabels.manager },
  { email: 'analista@demo.mx', label: kindLabels.analyst },
  { email: 'tecnico@demo.mx', label: kindLabels.tecnician },
  { email: 'tecnico2@demo.mx', label: kindLabels.tecnician },
  { email: 'gestor@demo.mx', label: kindLabels.gester },
  { email: 'aliado@demo.mx', label: kindLabels.alliate },
  { email: 'aliado2@demo.mx', label: kindLabels.alliate },
]

/** Loads the demo world into an empty database. Its code stands outside src and is loaded only here. */
export async function loadDemo(db: Db, now: Date, drive: Drive, modules: Modules): Promise<void> {
  const seeds = await import('../../../seeds/world.ts')
  await seeds.loadDemo(db, now, drive, modules)
}
