import { data, redirect } from 'react-router'
import type { Actor } from '../../access/rules/actor.ts'
import { clientsByStage, type codesToGive } from '../../customers/clients.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { form } from '../../kit/submit.ts'
import type { Db } from '../../platform/database/client.ts'
import { historyOf } from '../../platform/database/lists.ts'
import { lastSave } from '../../platform/database/versions.ts'
import { drawQr } from '../../platform/pdf/qr.ts'
import { forgetTouch } from '../../projects/screens/first-touch.ts'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { refuse, unwrap } from '../../shared/refusal.ts'
import { readAllies } from '../../users/queries.ts'
import { calledBy } from '../../users/rules/user.ts'
import {
  agencyFor,
  broughtByMonth,
  conversionCounts,
  firstYearOf,
  installationsByMonth,
  signedInAllies,
} from '../agency-queries.ts'
import { type AskableMove, moveCode } from '../codes.ts'
import { commissionMonths } from '../commission-queries.ts'
import type { Welcome } from '../redeem.ts'
import {
  type AgencySection,
  conversionOf,
  editsAgencies,
  inMonths,
  type MonthCount,
  monthsPeriod,
  monthsTotal,
  type Period,
  sectionsFor,
} from '../rules/agency.ts'
import { codeMessage, inviteLink, type Redeemed } from '../rules/clients.ts'
import { benefitFrom, benefitWords } from '../rules/codes.ts'
import { type CommissionState, commissionStates, seesCommissionSums } from '../rules/commissions.ts'
import { codeMoveInput } from '../rules/referral-schema.ts'
import { agencyPath } from './agency-paths.ts'
import type { Invited, OwnLink } from './invite-panel.tsx'

type AgencyRequest = { context: LoaderContext; params: { id: string } }

/**
 * An agency as the actor may see it: its terms are null for users who do not edit it. Another agency's is not found.
 */
export async function openAgency({ context, params: { id } }: AgencyRequest) {
  const { db, actor, now, lists } = signedIn(context)
  const agency = (await agencyFor(db, actor, id)) ?? refuse('not-found')
  return { db, lists: await lists(), actor, agency, now }
}

/** The same, for a tab of its page; a user who does not have that tab is redirected to the page. */
export async function openTab(request: AgencyRequest & { url: URL }, section: AgencySection) {
  const opened = await openAgency(request)
  if (!sectionsFor(opened.actor).includes(section)) throw redirect(agencyPath(opened.agency.id))
  return { ...opened, url: request.url }
}

/** What a tab is read with: who asks, of which agency, and what its address narrows. */
export type TabRequest = Awaited<ReturnType<typeof openTab>>

/** Who changes an agency; the others are refused before the form is read. */
export async function openEditor(request: AgencyRequest) {
  const { actor, agency, ...opened } = await openAgency(request)
  if (!editsAgencies(actor)) refuse('permission-denied')
  return { ...opened, actor, id: agency.id }
}

/** The profile of an agency, its people, and for its editors its history. */
export async function loadDetails({ db, actor, agency, now }: Omit<TabRequest, 'url'>) {
  const canEdit = editsAgencies(actor)
  const [allies, wasSaved, events, signedIn] = await Promise.all([
    loadAllies({ db, actor, agency }),
    lastSave(db, actor, { entity: 'agency', id: agency.id }),
    canEdit ? historyOf(db, 'agency', agency.id) : [],
    canEdit ? signedInAllies(db, agency.id, now) : 0,
  ])
  return { agency, allies, wasSaved, events, signedIn, canEdit }
}

/** Who sells for an agency. */
export async function loadAllies({ db, actor, agency }: Pick<TabRequest, 'db' | 'actor' | 'agency'>) {
  const allies = await readAllies(db, actor, agency.id).then(unwrap)
  return allies.map((ally) => ({ id: ally.uid, name: calledBy(ally), active: ally.active }))
}

/** The commissions of installations finished in a month, in centavos, by how far they are. */
export type MonthEarnings = Record<CommissionState, number> & { month: string; total: number }

const today = (now: Date) => localDate(toMinutes(now))

/** The period that an address asks for: a year, or the last twelve months. */
function periodIn(url: URL, now: Date): Period {
  const asked = url.searchParams.get('periodo') ?? ''
  return monthsPeriod(/^20\d{2}$/.test(asked) ? asked : null, today(now))
}

/** The figures of an agency, for the period of an address. */
export async function loadFigures({ db, lists, actor, agency: { id }, url, now }: TabRequest) {
  const period = periodIn(url, now)
  const both = [...period.before, ...period.months]
  const [stages, installations, brought, conversion, firstYear, earnings] = await Promise.all([
    clientsByStage(lists, id, now),
    installationsByMonth(lists, actor, id, both),
    broughtByMonth(lists, actor, id, both),
    conversionCounts(lists, actor, id, period.months),
    firstYearOf(lists, actor, id),
    seesCommissionSums(actor) ? commissionMonths(db, actor, id) : null,
  ])
  return {
    period: { year: period.year, months: period.months, years: yearsFrom(firstYear, now) },
    stages,
    conversion: conversionOf(conversion),
    installations: inMonths(period.months, installations),
    compared: {
      installations: compared(period, installations, now),
      brought: compared(period, brought, now),
    },
    earnings: earnings && { months: earningsIn(period.months, earnings.months), sums: earnings.sums },
  }
}

export type AgencyFigures = Awaited<ReturnType<typeof loadFigures>>

/** The months added up, and the same time before them; null for a year that is not over. */
function compared({ before, months, year }: Period, rows: readonly MonthCount[], now: Date) {
  const isOver = year === null || year < today(now).slice(0, 4)
  return {
    now: monthsTotal(inMonths(months, rows)),
    before: isOver ? monthsTotal(inMonths(before, rows)) : null,
  }
}

/** Each of these months with what was earned in it; one without a row is nothing. */
function earningsIn(months: readonly string[], rows: readonly MonthEarnings[]): MonthEarnings[] {
  const byMonth = new Map(rows.map((row) => [row.month, row]))
  return months.map((month) => {
    const row = byMonth.get(month)
    const states = Object.fromEntries(commissionStates.map((state) => [state, row?.[state] ?? 0]))
    return { ...(states as Record<CommissionState, number>), month, total: row?.total ?? 0 }
  })
}

/** The years to choose from, this one first. */
function yearsFrom(first: number | null, now: Date): string[] {
  const last = Number(today(now).slice(0, 4))
  return Array.from({ length: last - Math.min(first ?? last, last) + 1 }, (_, n) => String(last - n))
}

type Sent = { id: string; token: string; code: string | null } & Pick<Invited, 'name' | 'phone' | 'letter'>

/** Answers a form that made a link, which is shown this once. */
export function invitedAnswer(context: LoaderContext, { code, id, letter, name, phone, token }: Sent) {
  const address = requestOf(context).calendarSource.baseUrl + inviteLink(token, code)
  const qr = drawQr(address)
  return data({ invited: { clientId: id, name, phone, address, letter, qr } satisfies Invited })
}

type GivenCode = Awaited<ReturnType<typeof codesToGive>>[number]

/** An ally's own link by the newest of their codes that can be given; null without one. */
export function ownLinkOf(
  context: LoaderContext,
  given: GivenCode | undefined,
  agency: string,
): OwnLink | null {
  if (!given) return null
  const { baseUrl, brand } = requestOf(context).calendarSource
  const { code, id, ...benefits } = given
  const benefit = benefitWords(benefitFrom(benefits))
  const address = `${baseUrl}/approach?codigo=${code}`
  const message = codeMessage({ code, benefit, agency, brand, address })
  return { id, code, benefit, address, qr: drawQr(address), message }
}

/** Redirects after an account was made, with the result of the code that it started with. */
export async function welcome(
  to: string,
  { headers, redeemed, refused }: Welcome & { headers: Headers },
): Promise<Response> {
  if (redeemed)
    return redirectWithToast(
      to,
      'Aplicamos tu código',
      codeSentence(redeemed),
      'success',
      await forgetTouch(headers),
    )
  if (refused) return redirectWithToast(to, 'Creamos tu cuenta, sin tu código', refused, 'default', headers)
  return redirect(to, { status: 303, headers })
}

/** "SOL2026: 10 % de descuento" */
export const codeSentence = ({ benefit, code }: Redeemed): string =>
  benefit.kind === 'none' ? code : `${code}: ${benefitWords(benefit)}`

/** What is done about codes by those who made them, and by the manager. */
export function codeMoveForms(db: Db, actor: Actor, here: string, now: Date) {
  const moving =
    (move: AskableMove) =>
    async ({ codeId, version }: { codeId: string; version: number }) => {
      const { code } = await moveCode(db, actor, codeId, move, { version }, now)
      return redirectWithToast(here, movedWords[move](code), movedNotes[move])
    }
  return {
    'codes.activate': form(codeMoveInput, moving('activate')),
    'codes.ask': form(codeMoveInput, moving('ask')),
    'codes.pause': form(codeMoveInput, moving('pause')),
    'codes.resume': form(codeMoveInput, moving('resume')),
    'codes.revoke': form(codeMoveInput, moving('revoke')),
  }
}

/** The message about a code that was moved. */
export const movedWords: Record<AskableMove, (code: string) => string> = {
  activate: (code) => `El código ${code} está activo`,
  ask: (code) => `Pedimos la aprobación de ${code}`,
  pause: (code) => `El código ${code} quedó en pausa`,
  resume: (code) => `El código ${code} está activo otra vez`,
  revoke: (code) => `El código ${code} quedó revocado`,
}

/** What each of them means. */
export const movedNotes: Record<AskableMove, string> = {
  activate: 'Ya se puede compartir.',
  ask: 'Su beneficio pasa del límite de tu concesionaria. La gerencia te avisa por correo.',
  pause: 'Nadie lo puede usar hasta que lo reactives.',
  resume: 'Se puede usar otra vez.',
  revoke: 'Quien ya lo usó conserva su beneficio.',
}
