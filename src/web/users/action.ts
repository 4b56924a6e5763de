import type { RouterContextProvider } from 'react-router'
import {
  refusalInput,
  removalInput,
  shiftsInput,
  timeOffInput,
  zonesInput,
} from '../../domain/users/schedule-schema.ts'
import { db } from '../../server/app/context.ts'
import { addTimeOff, removeTimeOff, saveShifts, saveZones } from '../../server/users/schedule-changes.ts'
import { approveTimeOff, refuseTimeOff } from '../../server/users/time-off-requests.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { intents } from './intents.ts'

type Args = { request: Request; context: Readonly<RouterContextProvider>; params: { id: string } }

/** Whether a sent form is one of the schedule cards'. */
export async function isStaffing(request: Request): Promise<boolean> {
  const form = await formOf(request)
  return String(form.get('intent')).startsWith('staffing.')
}

/** The action of the schedule cards, for the screen of the person `params.id` that shows them. */
export async function staffingAction({ request, context, params: { id } }: Args) {
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
