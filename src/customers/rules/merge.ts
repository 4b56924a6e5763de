import { isCustomer, type Role, type StaffKind } from '../../access/rules/actor.ts'
import { mostOpenProjects } from '../../projects/rules/homes.ts'
import { lostReasons } from '../../projects/rules/stages.ts'
import { hasMailbox } from '../../shared/mailbox.ts'
import { managesPeople } from '../../users/rules/user.ts'

/** Merging ends an account: only the manager does it. */
export const mergesCustomers = managesPeople

/** What is known of one of two customers who may be one person. */
export type MergeSide = {
  id: string
  /** Name and last name, or the e-mail. */
  name: string
  email: string
  role: Role
  kind: StaffKind | null
  active: boolean
  emailVerified: boolean
  /** Whether there is a way into the account: a password, or a provider. */
  isEntered: boolean
  /** Whether they asked for their account to be deleted. */
  isLeaving: boolean
  mergedIntoId: string | null
  /** The open projects, each with the folios of what is under way or done in it. */
  open: readonly { id: string; hasAddress: boolean; work: readonly string[] }[]
  /** The dealership that brought the customer. */
  agency: { id: string; name: string } | null
  hasFiscalData: boolean
}

/** The one whose account stays, and the one whose account ends. */
type Pair = { kept: MergeSide; ended: MergeSide }

type Rule = { broken: (pair: Pair) => boolean; words: (pair: Pair) => string }

const either = ({ ended, kept }: Pair, which: (side: MergeSide) => boolean) => [kept, ended].find(which)
const nameOf = (pair: Pair, which: (side: MergeSide) => boolean) => either(pair, which)?.name ?? ''
const isStaffMember = (side: MergeSide) => !isCustomer(side)
const isMerged = ({ mergedIntoId }: MergeSide) => mergedIntoId !== null
const isInactive = ({ active }: MergeSide) => !active
const leaves = ({ isLeaving }: MergeSide) => isLeaving
const works = (open: MergeSide['open']) => open.some(({ work }) => work.length > 0)

/** What stands in the way of a merge, in the order in which it is said. */
const rules: readonly Rule[] = [
  { broken: ({ ended, kept }) => kept.id === ended.id, words: () => 'Es la misma ficha: elige otra.' },
  {
    broken: (pair) => either(pair, isStaffMember) !== undefined,
    words: (pair) => `${nameOf(pair, isStaffMember)} es del equipo: solo se unen fichas de clientes.`,
  },
  {
    broken: (pair) => either(pair, isMerged) !== undefined,
    words: (pair) => `La ficha de ${nameOf(pair, isMerged)} ya se unió con otra.`,
  },
  {
    broken: (pair) => either(pair, isInactive) !== undefined,
    words: (pair) =>
      `La cuenta de ${nameOf(pair, isInactive)} está desactivada: actívala primero en Usuarios.`,
  },
  {
    broken: (pair) => either(pair, leaves) !== undefined,
    words: (pair) => `${nameOf(pair, leaves)} pidió eliminar su cuenta: espera a que decida.`,
  },
  {
    broken: ({ ended, kept }) => ended.emailVerified && !kept.emailVerified,
    words: ({ ended }) => `${ended.name} ya entra con su correo confirmado: que quede esa ficha.`,
  },
  {
    broken: ({ ended, kept }) => kept.open.length + ended.open.length > mostOpenProjects,
    words: ({ ended, kept }) =>
      `Juntas tendrían ${kept.open.length + ended.open.length} proyectos en curso y una persona lleva a lo más ${mostOpenProjects}. Termina uno, o ciérralo como «No concretado», y vuelve a unirlas.`,
  },
  {
    broken: ({ ended, kept }) => Boolean(kept.agency && ended.agency && kept.agency.id !== ended.agency.id),
    words: ({ ended, kept }) =>
      `Una viene de ${kept.agency?.name} y la otra de ${ended.agency?.name}. Termina antes una de las dos atribuciones, en la cuenta de cada quien.`,
  },
]

/** Why two customers cannot be merged in this way, in words with what to do about it; null where they can. */
export const whyNotMerged = (kept: MergeSide, ended: MergeSide): string | null =>
  rules.find(({ broken }) => broken({ kept, ended }))?.words({ kept, ended }) ?? null

/**
 * The open project that is closed since each had one and it is empty: the one without work; of two without, the one
 * without a home, or that of the account that ends. Null where both have work: both go on, each for its home.
 */
export function projectToClose({ open: keptOpen }: MergeSide, { open: endedOpen }: MergeSide): string | null {
  const [kept, ...keptMore] = keptOpen
  const [ended, ...endedMore] = endedOpen
  if (!kept || !ended || keptMore.length > 0 || endedMore.length > 0) return null
  const isBusy = works(keptOpen)
  const isOtherBusy = works(endedOpen)
  if (isBusy && isOtherBusy) return null
  if (isBusy || isOtherBusy) return isBusy ? ended.id : kept.id
  return ended.hasAddress && !kept.hasAddress ? kept.id : ended.id
}

/** Whether the account that stays is taken over for its mailbox's owner: a stranger may have opened it. */
export const takesOver = ({ emailVerified, isEntered }: MergeSide) => isEntered && !emailVerified

/** Both have the same name as a rule: their mailboxes tell them apart. */
const called = ({ email, name }: MergeSide) => (hasMailbox(email) ? email : `${name} (sin correo)`)

/** Whether the account that ends is one that its owner signs in to: they are told which one is left. */
export const isToldOfMerge = ({ emailVerified, isEntered }: MergeSide) => isEntered && emailVerified

/** What a merge does, in words for the manager who is about to confirm it. */
export function mergeInWords(kept: MergeSide, ended: MergeSide): string[] {
  const closed = projectToClose(kept, ended)
  const empty = kept.open.some(({ id }) => id === closed) ? kept : ended
  return [
    `Todo lo de la ficha de ${called(ended)} pasa a la de ${called(kept)}: proyectos, citas, cotizaciones, pagos, documentos y llamadas. No se pierde nada, y cada cita conserva su hora y su folio.`,
    ended.isEntered || ended.emailVerified
      ? `Con ${called(ended)} ya no se podrá entrar: se cierran sus sesiones. Se entra con ${called(kept)}.`
      : hasMailbox(ended.email) &&
        `Los enlaces de acceso que mandamos a ${called(ended)} dejan de servir. La cuenta es la de ${called(kept)}.`,
    isToldOfMerge(ended) &&
      `Dile a ${ended.name} con qué correo entra. Pasadas ${undoHours} horas, cuando ya no se deshace, también se lo escribimos a ${ended.email}.`,
    takesOver(kept) &&
      `Nadie ha confirmado ${called(kept)}: se cierra su acceso y le llega el correo para reclamar su cuenta.`,
    closed &&
      `Las dos tienen un proyecto abierto y el de ${called(empty)} está vacío: se cierra como «${lostReasons.duplicado}».`,
    !closed &&
      kept.open.length > 0 &&
      ended.open.length > 0 &&
      'Las dos tienen proyectos en curso: siguen todos, cada uno con su domicilio.',
    kept.hasFiscalData &&
      ended.hasFiscalData &&
      `Quedan los datos fiscales de ${called(kept)}; los de ${called(ended)} se guardan sin usarse.`,
    kept.agency && ended.agency && `Las dos vienen de ${kept.agency.name}: queda una sola atribución.`,
    `Durante ${undoHours} horas se deshace con un botón, mientras no se agregue nada a lo que se movió.`,
  ].filter((line) => typeof line === 'string')
}

/** The hours in which a merge can be undone. */
export const undoHours = 24

/** Until when a merge can be undone. */
export const undoneUntil = (mergedAt: Date) => new Date(mergedAt.getTime() + undoHours * 3_600_000)

/** The account that stands: the one proposed, where the manager has not chosen. */
export function proposedToStand(one: MergeSide, other: MergeSide): MergeSide {
  const rank = ({ emailVerified, isEntered, open }: MergeSide) =>
    (emailVerified ? 4 : 0) + (isEntered ? 2 : 0) + (works(open) ? 1 : 0)
  return rank(other) > rank(one) ? other : one
}
