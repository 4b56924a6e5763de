import { isAlly } from '../../access/rules/actor.ts'
import { actAtDesk } from '../../accounts/brakes.ts'
import { deskInput } from '../../accounts/rules/schema.ts'
import { deskEvents } from '../../accounts/rules/security.ts'
import { attributeByManager, endAttributionByManager } from '../../agencies/attributions.ts'
import { attributionInput } from '../../agencies/rules/referral-schema.ts'
import { wrongPapers } from '../../documents/documents.ts'
import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { type LoaderContext, signedIn } from '../../kit/request.ts'
import { checked, form } from '../../kit/submit.ts'
import { refuse, unwrap } from '../../shared/refusal.ts'
import { addCalendar, readAgain, removeCalendar } from '../busy-calendars.ts'
import { removeSecondFactor, updateActive, updateAgency, updateRoleAndKind } from '../commands.ts'
import { saveDayStart } from '../day-start.ts'
import { readUser } from '../queries.ts'
import {
  aboutStaffPaper,
  accessInput,
  busyCalendarInput,
  dayStartInput,
  type RoleInput,
  refusalInput,
  removalInput,
  shiftsInput,
  staffPaperInput,
  timeOffInput,
  visitCardInput,
  zonesInput,
} from '../rules/schema.ts'
import { checksPapers, keepsPapers } from '../rules/staff-paper.ts'
import { choicesIn } from '../rules/staffing-change.ts'
import { choiceOf, managesPeople, roleChoices, roleOf } from '../rules/user.ts'
import {
  addTimeOff,
  approveTimeOff,
  correctEmail,
  correctPerson,
  refuseTimeOff,
  removeTimeOff,
  saveShifts,
  saveZones,
} from '../schedule.ts'
import { checkStaffPaper, removeStaffPaper, saveStaffPaper } from '../staff-papers.ts'
import { saveVisitCard } from '../visit-card.ts'
import { deskActs } from './security-parts.tsx'

const pathOf = (id: string) => `/admin/users/${id}`

/** What is changed of a person: their access, name and contact data. */
export function accessForms(context: LoaderContext, id: string) {
  const { db, actor } = signedIn(context)
  const here = pathOf(id)
  return checked(() => managesPeople(actor) || refuse('permission-denied'), {
    role: form(accessInput.role, (input) => changeRole(context, id, input)),
    active: form(accessInput.active, async (input) => {
      const active = input.active === 'yes'
      unwrap(await updateActive(db, actor, id, active, termsOf(input)))
      return active
        ? redirectWithToast(here, 'Activaste la cuenta', 'Ya puede iniciar sesión.')
        : redirectWithUndo(here, 'Desactivaste la cuenta', 'Cerramos sus sesiones y ya no puede entrar.', [
            { id, version: input.version + 1, of: 'cuenta' },
          ])
    }),
    'remove-second-factor': form(accessInput['remove-second-factor'], async (input) => {
      await removeSecondFactor(db, actor, id, input)
      return redirectWithToast(here, 'Quitaste su segundo factor y sus llaves', 'Le avisamos por correo.')
    }),
    ...correctionForms(context, id, here),
  })
}

/** What the manager stops at once, and gives back. */
export function deskForms(context: LoaderContext, here: string) {
  const acts = deskEvents.map((name) => [
    name,
    form(deskInput, async ({ about }) => {
      const { db, actor } = signedIn(context)
      await actAtDesk(db, actor, name, about)
      const { title, words } = deskActs[name]
      return redirectWithToast(here, title, words)
    }),
  ])
  return checked(
    () => managesPeople(signedIn(context).actor) || refuse('permission-denied'),
    Object.fromEntries(acts),
  )
}

/** What the manager corrects of a person's name and contact data, on any page that shows it. */
export function correctionForms(context: LoaderContext, id: string, here: string) {
  const { db, actor, now } = signedIn(context)
  return {
    'correct-profile': form(accessInput['correct-profile'], async (input) => {
      await correctPerson(db, actor, id, input, now)
      return redirectWithToast(here, 'Guardamos sus datos', 'Desde ahora los usamos en sus citas y mensajes.')
    }),
    'correct-email': form(accessInput['correct-email'], async (input) => {
      const begun = await correctEmail(db, actor, id, input, now)
      return begun === 'changed'
        ? redirectWithToast(here, 'Cambiamos su correo', `Le escribimos a ${input.email}.`)
        : redirectWithToast(
            here,
            'Falta que lo confirme',
            `Le mandamos un enlace a ${input.email}.`,
            'default',
          )
    }),
  }
}

async function changeRole(context: LoaderContext, id: string, input: RoleInput) {
  const { db, actor } = signedIn(context)
  const here = pathOf(id)
  const { agencyId, role } = input
  const before = choiceOf(unwrap(await readUser(db, actor, id)))
  if (isAlly(roleOf(before)) && isAlly(roleOf(role)) && agencyId) {
    unwrap(await updateAgency(db, actor, id, agencyId, termsOf(input)))
    return redirectWithToast(here, 'Guardamos su concesionaria', 'Desde ahora ve lo de ella.')
  }
  unwrap(await updateRoleAndKind(db, actor, id, { choice: role, agencyId }, termsOf(input)))
  return before === role
    ? redirectWithToast(here, 'No había nada que cambiar', 'Su rol sigue igual.')
    : redirectWithToast(here, `Ahora es ${roleChoices[role]}`, 'Lo que puede ver y hacer cambia desde ahora.')
}

const termsOf = (input: Pick<RoleInput, 'version' | 'confirmed'>) => ({
  version: input.version,
  confirmed: input.confirmed,
  decisions: choicesIn(Object.entries(input)),
  now: new Date(),
})

/** When and where a person works. */
export function staffingForms(context: LoaderContext, id: string) {
  const { db, actor, now } = signedIn(context)
  const saved = (title: string, then: string) => redirectWithToast(pathOf(id), title, then)
  return {
    'staffing.shifts': form(shiftsInput, async (input) => {
      await saveShifts(db, actor, id, input, now)
      return saved('Guardamos sus turnos', 'Cuentan para las citas nuevas.')
    }),
    'staffing.zones': form(zonesInput, async (input) => {
      await saveZones(db, actor, id, input, now)
      return saved('Guardamos sus zonas', 'Cuentan para las citas nuevas.')
    }),
    'staffing.timeOff': form(timeOffInput, async (input) => {
      await addTimeOff(db, actor, id, input, now)
      return saved('Guardamos su permiso', 'En ese tiempo no se le dan citas nuevas.')
    }),
    'staffing.removeTimeOff': form(removalInput, async (input) => {
      await removeTimeOff(db, actor, id, input, now)
      return saved('Quitamos su permiso', 'Puede recibir citas otra vez en ese tiempo.')
    }),
    'staffing.approveTimeOff': form(removalInput, async (input) => {
      await approveTimeOff(db, actor, id, input, now)
      return saved('Aprobaste su permiso', 'Le avisamos por correo.')
    }),
    'staffing.refuseTimeOff': form(refusalInput, async (input) => {
      await refuseTimeOff(db, actor, id, input, now)
      return saved('Rechazaste su permiso', 'Le avisamos por correo.')
    }),
  }
}

/** By what customers know a person who visits them: their own, or the manager's of anybody; `here` is the form's page. */
export const visitCardForms = (context: LoaderContext, userId: string, here: string) => ({
  'visit-card': form(visitCardInput, async (input, { file }) => {
    const { db, drive, actor } = signedIn(context)
    const store = { db, drive }
    await saveVisitCard(store, actor, userId, { ...input, photo: file('file') }, new Date())
    return redirectWithToast(
      `${here}#quien-llega`,
      'Guardamos la foto y el vehículo',
      'Los ven los clientes con visita confirmada.',
    )
  }),
})

/** Where a person's days begin: their own, or the manager's of anybody; `here` is the form's page. */
export const dayStartForms = (context: LoaderContext, userId: string, here: string) => ({
  'day-start': form(dayStartInput, async ({ startsFrom }) => {
    const { db, actor } = signedIn(context)
    await saveDayStart(db, actor, userId, startsFrom)
    return startsFrom
      ? redirectWithToast(
          `${here}#salida`,
          'Guardamos la salida',
          'La primera cita de cada día ya la cuenta.',
        )
      : redirectWithToast(
          `${here}#salida`,
          'Quitamos la salida',
          'La primera cita de cada día ya no dice camino.',
        )
  }),
})

/** A person's own calendars; `here` is the form's page. */
export function busyCalendarForms(context: LoaderContext, here: string) {
  const { db, actor, calendars } = signedIn(context)
  const done = (title: string, then: string) => redirectWithToast(`${here}#ocupado`, title, then)
  return {
    'busy-add': form(busyCalendarInput['busy-add'], async (input) => {
      await addCalendar(db, calendars, actor, input)
      return done('Conectamos tu calendario', 'Lo leemos en menos de un minuto; después, cada 10.')
    }),
    'busy-remove': form(busyCalendarInput['busy-remove'], async ({ calendarId }) => {
      await removeCalendar(db, actor, calendarId)
      return done('Quitamos tu calendario', 'Sus horas ya se ofrecen otra vez.')
    }),
    'busy-read': form(busyCalendarInput['busy-read'], async ({ allDay, calendarId }) => {
      await readAgain(db, actor, calendarId, { allDay })
      return done('Lo leemos otra vez', 'En menos de un minuto verás cómo le fue.')
    }),
  }
}

/** The papers of a person, or without one of the company; `here` is the form's page. */
export const paperForms = (context: LoaderContext, personId: string | null, here: string) => {
  const { db, drive, actor, now } = signedIn(context)
  const done = (title: string, then: string) => redirectWithToast(`${here}#papeles`, title, then)
  return checked(() => keepsPapers(actor, personId) || refuse('permission-denied'), {
    'paper-add': form(
      staffPaperInput,
      async (input, { file }) => {
        await saveStaffPaper({ db, drive }, actor, personId, { ...input, file: file('file') }, now)
        return done(
          'Guardamos el papel',
          checksPapers(actor, personId)
            ? 'Ya cuenta como revisado.'
            : 'La gerencia lo revisa; mientras, cuenta siete días.',
        )
      },
      wrongPapers({ file: 'staff_paper' }),
    ),
    'paper-remove': form(aboutStaffPaper, async (input) => {
      await removeStaffPaper({ db, drive }, actor, personId, input)
      return done('Quitamos el papel', 'También su archivo.')
    }),
  })
}

/** The same with what only the manager says of another person's. */
export const checkedPaperForms = (context: LoaderContext, personId: string, here: string) => ({
  ...paperForms(context, personId, here),
  'paper-check': form(aboutStaffPaper, async (input) => {
    const { db, actor, now } = signedIn(context)
    await checkStaffPaper(db, actor, personId, input, now)
    return redirectWithToast(`${here}#papeles`, 'Papel revisado', 'Cuenta hasta el día en que vence.')
  }),
})

/** The dealership that brought a customer, given or removed. */
export function attributionForms(context: LoaderContext, id: string) {
  const { db, actor, now } = signedIn(context)
  const here = pathOf(id)
  return {
    'attribution.give': form(attributionInput['attribution.give'], async (input) => {
      await attributeByManager(db, actor, id, { ...input, now })
      return redirectWithToast(here, 'Guardamos su concesionaria', 'Guardamos también tu motivo.')
    }),
    'attribution.end': form(attributionInput['attribution.end'], async (input) => {
      await endAttributionByManager(db, actor, id, { ...input, now })
      return redirectWithToast(here, 'Quitaste su concesionaria', 'Guardamos también tu motivo.')
    }),
  }
}
