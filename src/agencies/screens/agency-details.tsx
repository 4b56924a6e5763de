import { redirectWithToast } from '../../kit/flash.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { editAgency, switchAgency } from '../agency-commands.ts'
import { editAgencyInput, switchAgencyInput } from '../rules/schema.ts'
import type { Route } from './+types/agency-details.ts'
import { agencyPath } from './agency-paths.ts'
import { AgencyProfile } from './agency-profile.tsx'
import { loadDetails, openEditor, openTab } from './agency-server.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => loadDetails(await openTab(args, 'datos')))

export const action = forms(async (args: Route.ActionArgs) => {
  const { actor, db, id } = await openEditor(args)
  const here = agencyPath(id, 'datos')
  return {
    edit: form(editAgencyInput, async (input) => {
      await editAgency(db, actor, id, input)
      return redirectWithToast(here, 'Guardamos los cambios', 'Desde ahora se muestran así.')
    }),
    switch: form(switchAgencyInput, async ({ version, active }) => {
      await switchAgency(db, actor, id, { version, active: active === 'yes' })
      return active === 'yes'
        ? redirectWithToast(here, 'Concesionaria activada', 'Sus aliados ya pueden entrar.')
        : redirectWithToast(here, 'Concesionaria desactivada', 'Cerramos las sesiones de sus aliados.')
    }),
  }
})

export default function Details({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <OrphanedFormError />
      <AgencyProfile {...loaderData} />
    </>
  )
}
