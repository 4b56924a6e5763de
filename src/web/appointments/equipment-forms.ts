import type { RouterContextProvider } from 'react-router'
import { equipmentInput, equipmentOf } from '../../domain/projects/schema.ts'
import { seenVersion } from '../../domain/shared/schema.ts'
import { db } from '../../server/app/context.ts'
import { openProjectOf, saveEquipment } from '../../server/projects/open-project.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { form } from '../lib/submit.ts'

type Context = Readonly<RouterContextProvider>

/** Car and charger of the open project, for their form; null before there is one. */
export async function ownEquipment(context: Context) {
  const project = await openProjectOf(context.get(db), requireActor(context).id)
  return project && { version: project.version, vehicle: project.vehicle, charger: project.charger }
}

const formInput = (now: Date) =>
  equipmentInput(now).extend({
    version: seenVersion,
  })

/** Saves what the form of car and charger says. */
export const equipmentForms = (context: Context) => ({
  equipment: form(formInput(new Date()), async ({ version, ...told }) => {
    await saveEquipment(context.get(db), requireActor(context), equipmentOf(told), version)
    return redirectWithToast(
      '/technics-visit',
      'Guardamos los datos de tu auto y tu cargador',
      'Con ellos preparamos tu visita y tu cotización.',
    )
  }),
})
