import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { personName } from '../../domain/accounts/schema.ts'
import { orRefuse, refuse } from '../../domain/shared/refusal.ts'
import {
  choice,
  requiredEmail,
  seenVersion,
  staleForm,
  theirPhone,
  ticked,
} from '../../domain/shared/schema.ts'
import {
  refusalInput,
  removalInput,
  shiftsInput,
  timeOffInput,
  zonesInput,
} from '../../domain/users/schedule-schema.ts'
import { choicesIn } from '../../domain/users/staffing-change.ts'
import { choiceOf, managesPeople, roleChoices } from '../../domain/users/user.ts'
import { db } from '../../server/app/context.ts'
import { updateActive, updateAgency, updateRoleAndKind } from '../../server/users/create.ts'
import {
  addTimeOff,
  correctEmail,
  correctPerson,
  removeTimeOff,
  saveShifts,
  saveZones,
} from '../../server/users/schedule-changes.ts'
import { removeSecondFactor } from '../../server/users/second-factor.ts'
import { readUser } from '../../server/users/store.ts'
import { approveTimeOff, refuseTimeOff } from '../../server/users/time-off-requests.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { intents } from './shifts-card.tsx'

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

const confirmed = ticked
const theirWords = {
  name: personName('Escribe su nombre.'),
  lastname: personName('Escribe sus apellidos.'),
  phone: theirPhone,
}

/** Loose: what is decided of each appointment comes under names of its own. */
const formInput = z.discriminatedUnion(
  'intent',
  [
    z.looseObject({
      ...{ intent: z.literal('role'), version: seenVersion, confirmed },
      role: choice(roleChoices, 'Elige su rol.'),
      agencyId: z.preprocess((sent) => sent || null, z.uuid('Elige su concesionaria.').nullable()),
    }),
    z.looseObject({
      intent: z.literal('active'),
      version: seenVersion,
      confirmed,
      active: z.enum(['yes', 'no'], staleForm),
    }),
    z.object({ intent: z.literal('remove-second-factor'), version: seenVersion, confirmed }),
    z.object({ intent: z.literal('correct-profile'), version: seenVersion, ...theirWords }),
    z.object({ intent: z.literal('correct-email'), version: seenVersion, email: requiredEmail }),
  ],
  staleForm,
)

/** Changes what somebody may do, for the screen of the person `params.id`. */
export const accessAction = ({ request, context, params: { id } }: Args) =>
  submit(request, formInput, async (input) => {
    const [database, actor] = [context.get(db), someone(context)]
    if (!managesPeople(actor)) refuse('permission-denied')
    const here = `/admin/users/${id}`
    if (input.intent === 'correct-profile') {
      await correctPerson(database, actor, id, input, new Date())
      return toast(here, 'Guardamos sus datos', 'Desde ahora los usamos en sus citas y mensajes.')
    }
    if (input.intent === 'correct-email') {
      const begun = await correctEmail(database, actor, id, input, new Date())
      return begun === 'changed'
        ? toast(here, 'Cambiamos su correo', `Le mandamos la carta a ${input.email}.`)
        : toast(here, 'Falta que lo confirme', `Le mandamos un enlace a ${input.email}.`, 'default')
    }
    const { version, confirmed } = input
    if (input.intent === 'remove-second-factor') {
      await removeSecondFactor(database, actor, id, { version, confirmed })
      return toast(here, 'Quitaste su segundo factor', 'Le avisamos por correo.')
    }
    const terms = { version, confirmed, decisions: choicesIn(Object.entries(input)), now: new Date() }
    if (input.intent === 'active') {
      const active = input.active === 'yes'
      orRefuse(await updateActive(database, actor, id, active, terms))
      return active
        ? toast(here, 'Activaste la cuenta', 'Ya puede iniciar sesión.')
        : toast(here, 'Desactivaste la cuenta', 'Cerramos sus sesiones y ya no puede entrar.')
    }
    const { role, agencyId } = input
    const before = choiceOf(orRefuse(await readUser(database, actor, id)))
    if (before === 'alliate' && role === 'alliate' && agencyId) {
      orRefuse(await updateAgency(database, actor, id, agencyId, terms))
      return toast(here, 'Guardamos su concesionaria', 'Desde ahora ve lo de ella.')
    }
    orRefuse(await updateRoleAndKind(database, actor, id, { choice: role, agencyId }, terms))
    return before === role
      ? toast(here, 'No había nada que cambiar', 'Su rol sigue igual.')
      : toast(here, `Ahora es ${roleChoices[role]}`, 'Lo que puede ver y hacer cambia desde ahora.')
  })

type StaffingArgs = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Whether a sent form is one of the schedule cards'. */
export async function isStaffing(request: Request): Promise<boolean> {
  const form = await formOf(request)
  return String(form.get('intent')).startsWith('staffing.')
}

/** The action of the schedule cards, for the screen of the person `params.id` that shows them. */
export async function staffingAction({ request, context, params: { id } }: StaffingArgs) {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const saved = (title: string, then: string) => toast(`/admin/users/${id}`, title, then)
  const form = await formOf(request)
  switch (form.get('intent')) {
    case intents.zones:
      return submit(request, zonesInput, async (input) => {
        await saveZones(database, actor, id, input, now)
        return saved('Guardamos sus zonas', 'Cuentan para las citas nuevas.')
      })
    case intents.timeOff:
      return submit(request, timeOffInput, async (input) => {
        await addTimeOff(database, actor, id, input, now)
        return saved('Guardamos su permiso', 'En ese tiempo no se le dan citas nuevas.')
      })
    case intents.removeTimeOff:
      return submit(request, removalInput, async (input) => {
        await removeTimeOff(database, actor, id, input, now)
        return saved('Quitamos su permiso', 'Puede recibir citas otra vez en ese tiempo.')
      })
    case intents.approveTimeOff:
      return submit(request, removalInput, async (input) => {
        await approveTimeOff(database, actor, id, input, now)
        return saved('Aprobaste su permiso', 'Le avisamos por correo.')
      })
    case intents.refuseTimeOff:
      return submit(request, refusalInput, async (input) => {
        await refuseTimeOff(database, actor, id, input, now)
        return saved('Rechazaste su permiso', 'Le avisamos por correo.')
      })
    default:
      return submit(request, shiftsInput, async (input) => {
        await saveShifts(database, actor, id, input, now)
        return saved('Guardamos sus turnos', 'Cuentan para las citas nuevas.')
      })
  }
}
