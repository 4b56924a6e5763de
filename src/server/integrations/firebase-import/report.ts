import { kindLabels } from '../../../domain/access/actor.ts'
import type { Outcome } from './apply.ts'
import type { Lack, Obstacle, Plan } from './plan.ts'

const obstacleWords: Record<Obstacle, string> = {
  no_email: 'no tiene correo',
  wrong_email: 'su correo no es válido',
  twice: 'su correo está repetido en el archivo',
  unknown_kind: 'es del equipo, de un tipo que aquí no existe',
  unproved_staff: 'es del equipo y nunca comprobó su correo: invítalo desde Usuarios',
}

const lackWords: Record<Lack, string> = {
  profile: 'sin documento en la colección',
  password: 'sin contraseña (entra con su proveedor, o la pide por correo)',
  name: 'sin nombre (lo escribe al entrar)',
  phone: 'con un teléfono que no es de 10 dígitos: se deja vacío',
  agency: 'sin consecionaria',
}

const doneWords: Record<Outcome['done'], string> = {
  made: 'pasan',
  before: 'ya habían pasado',
  known_email: 'tienen aquí una cuenta con ese correo, que se queda como está',
}

/** What a run did or would do, in lines for whoever runs it: sums first, then each person who needs a look. */
export function reportOf({ left }: Pick<Plan, 'left'>, outcomes: readonly Outcome[], dry: boolean): string {
  const made = outcomes.filter(({ done }) => done === 'made').map(({ newcomer }) => newcomer)
  const staff = made.filter(({ kind }) => kind)
  return [
    dry ? 'Prueba: no se escribió nada. Con --aplicar se hace.' : 'Hecho.',
    ...Object.entries(doneWords).map(
      ([done, words]) => `${outcomes.filter((one) => one.done === done).length} ${words}`,
    ),
    `${left.length} se quedan fuera`,
    '',
    `Del equipo (${staff.length}):`,
    ...staff.map(
      ({ active, email, kind }) => `  ${email} · ${kind && kindLabels[kind]}${active ? '' : ' · inactivo'}`,
    ),
    '',
    'Para revisar:',
    ...made.filter(({ lacks }) => lacks.length > 0).map(({ email, lacks }) => `  ${email}: ${listed(lacks)}`),
    ...outcomes
      .filter(({ newcomer, withoutAgency }) => withoutAgency && newcomer.agency)
      .map(
        ({ newcomer }) =>
          `  ${newcomer.email}: su consecionaria (${newcomer.agency}) no existe aquí: asígnala en Usuarios`,
      ),
    ...outcomes
      .filter(({ done }) => done === 'known_email')
      .map(({ newcomer }) => `  ${newcomer.email}: ${doneWords.known_email}`),
    '',
    'Se quedan fuera:',
    ...left.map(({ obstacle, uid }) => `  ${uid}: ${obstacleWords[obstacle]}`),
  ].join('\n')
}

const listed = (lacks: readonly Lack[]) => lacks.map((lack) => lackWords[lack]).join('; ')
