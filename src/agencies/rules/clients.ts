import { isManager } from '../../access/rules/actor.ts'
import { type Vehicle, vehicleInWords } from '../../projects/rules/equipment.ts'
import { type Stage, stageLabels, stages, type Waiting, waitingLabels } from '../../projects/rules/stages.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { counted, lowerFirst } from '../../shared/format.ts'
import type { Benefit, CodeState } from './codes.ts'

/** How a customer became an agency's client. */
export const clientSources = {
  link: 'Enlace',
  code: 'Código',
  manager: 'Gerencia',
  counter: 'Mostrador',
  api: 'Sistema de la concesionaria',
} as const
export type ClientSource = keyof typeof clientSources

/** How far a client has come: `invited` until there is an account, then the stage of the project. */
export type ClientStage = 'invited' | Stage
export const clientStages: readonly ClientStage[] = ['invited', ...stages]
export const clientStageLabels: Record<ClientStage, string> = { invited: 'Invitado', ...stageLabels }

/** "Carlos · BYD Dolphin": the car tells clients of one first name apart. */
export const withCar = (name: string, vehicle: Partial<Vehicle> | null) =>
  [name, vehicleInWords(vehicle)].filter(Boolean).join(' · ')

/** Whose turn it is, in the words shown to viewers other than the customer. */
export const turnLabels: Record<Waiting, string> = { ...waitingLabels, customer: 'Cliente' }

/** For how many days an invitation's link is valid; afterwards the personal data typed in it are erased. */
export const clientInviteDays = 90

/** The filters of the list of clients, as its address holds them. */
export type ClientFilters = {
  text?: string
  stage?: ClientStage
  /** The id of a code. */
  code?: string
  /** The id of the ally who brought them. */
  ally?: string
}

type SharedCode = { code: string; benefit: string; agency: string; brand: string; address: string }

/** What an ally writes to somebody with the link of a code. */
export function codeMessage({ address, agency, benefit, brand, code }: SharedCode): string {
  const gives = benefit === 'Sin beneficio' ? '' : ` y recibes ${lowerFirst(benefit)}`
  return `Instala tu cargador con ${brand}. Con mi código ${code} te atienden como cliente de ${agency}${gives}. ${address}`
}

/** The path of an invitation's link, with the code if there is one and the token of its owner. */
export function inviteLink(token: string, code: string | null): string {
  const query = new URLSearchParams({ ...(code && { codigo: code }), registro: token })
  return `/approach?${query}`
}

/** What goes out with a link by WhatsApp, in the ally's own name. */
export const inviteMessage = (brand: string, address: string) =>
  `Hola, te comparto el enlace para instalar en casa el cargador de tu auto con ${brand}: ${address}`

/** How many days the first referral link that a visitor followed is remembered. */
export const firstTouchDays = 90

export const unknownCode = 'Ese código no existe o ya no está activo. Revísalo con tu concesionaria.'

type Day = { startsOn: string; endsOn: string | null; state: CodeState; uses: number; maxUses: number }

/** Message why a code cannot be used now, or null when it can. A paused or future code reads like an unknown one. */
export function whyNotOpen(code: Day | undefined, now: Date): string | null {
  if (!code) return unknownCode
  const today = localDate(toMinutes(now))
  if (code.state === 'exhausted' || (code.state === 'active' && code.uses >= code.maxUses))
    return 'Ese código ya se agotó.'
  if (code.state === 'expired') return 'Ese código ya venció.'
  if (code.state !== 'active' || code.startsOn > today) return unknownCode
  return code.endsOn !== null && code.endsOn < today ? 'Ese código ya venció.' : null
}

/** The facts that decide whether a customer may redeem a code. */
export type RedeemFacts = {
  code: { id: string; agencyId: string }
  /** Their current attribution to an agency. */
  living: { agencyId: string; codeId: string | null } | null
  /** They have accepted the quote of an installation that is not over. */
  accepted: boolean
  /** Their e-mail or phone belongs to a member of the agency. */
  isOwnReferral: boolean
}

/**
 * The effect of redeeming a code: it attributes the customer to its ally, is added to their attribution, or changes
 * nothing because they have it already.
 */
type Redemption = 'join' | 'add' | 'known' | { refused: string }

// The message gives no reason: it must not reveal who owns an e-mail or a phone.
export const notOfThisAccount =
  'Este código no se puede usar con tu cuenta. Si crees que es un error, pide ayuda.'

/** Whether a customer may use a code: one agency and one code for each customer. */
export function redemptionOf({ accepted, code, isOwnReferral, living }: RedeemFacts): Redemption {
  if (living?.codeId === code.id) return 'known'
  if (isOwnReferral) return { refused: notOfThisAccount }
  if (living && living.agencyId !== code.agencyId)
    return { refused: 'Tu cuenta ya viene de otra concesionaria. Si es un error, pide ayuda.' }
  if (living?.codeId) return { refused: 'Ya usaste un código, y solo puedes usar uno.' }
  if (accepted) return { refused: 'Los códigos se usan antes de aceptar la cotización, y ya la aceptaste.' }
  return living ? 'add' : 'join'
}

/** A redeemed code and its benefit. */
export type Redeemed = { code: string; benefit: Benefit }

/**
 * The mailbox behind an e-mail, to recognise its owner under another spelling: the text after a plus is a label, and
 * Gmail ignores dots.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const name = email.slice(0, at).toLowerCase()
  const domain = email.slice(at + 1).toLowerCase()
  const own = name.split('+')[0] || name
  return /^(gmail|googlemail)\.com$/.test(domain)
    ? `${own.replaceAll('.', '')}@gmail.com`
    : `${own}@${domain}`
}

type Reachable = { email: string; phone: string | null }

/** Whether a person matches one of these by e-mail or phone. */
export const isOneOf = (person: Reachable, people: readonly Reachable[]): boolean =>
  people.some(
    ({ email, phone }) =>
      mailboxOf(email) === mailboxOf(person.email) || (phone !== null && phone === person.phone),
  )

/** Who sees attributions that ended: their agency no longer does. */
export const readsEndedAttributions = isManager

/** Who sees which account a client has, and their surname. */
export const seesClientAccounts = isManager

/** The reason for the end of an attribution, where the manager wrote none. */
const endings = {
  self_referral: 'Su correo o teléfono es de un aliado de la concesionaria',
  staff: 'Pasó a ser parte del equipo',
  erased: 'Se eliminó la cuenta',
  changed: 'Se atribuyó a alguien más',
} as const
export type AttributionEnding = keyof typeof endings
/** All of these reasons. */
export const attributionEndings = Object.keys(endings)

const ended = (reason: string): reason is AttributionEnding => Object.hasOwn(endings, reason)

/** The same in words: from the table, or as the manager wrote it. */
export const endingInWords = (reason: string) => (ended(reason) ? endings[reason] : reason)

/** "12 clientes y 3 códigos", of what is under a person's name. */
export const heldWords = ({ clients, codes }: { clients: number; codes: number }) =>
  [clients > 0 && counted(clients, 'cliente', 'clientes'), codes > 0 && counted(codes, 'código', 'códigos')]
    .filter(Boolean)
    .join(' y ')
