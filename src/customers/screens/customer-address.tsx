import { wouldBeClaimed } from '../../accounts/email-change.ts'
import { customerToActFor } from '../../accounts/people.ts'
import { ownAddressInput } from '../../appointments/rules/own-address-schema.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { placeOfCode } from '../../projects/postal-list.ts'
import { type areaNotices, warnings } from '../../projects/rules/address.ts'
import { projectParam } from '../../projects/rules/homes.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import {
  Arrival,
  BookedVisits,
  HomeFields,
  PinField,
  PlaceFields,
} from '../../projects/screens/place-fields.tsx'
import { dateTime } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Alert } from '../../ui/alert.tsx'
import { ActionBar } from '../../ui/button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { calledBy, managesPeople } from '../../users/rules/user.ts'
import { correctAddress } from '../addresses.ts'
import { homeToChange } from '../booked-visit.ts'
import type { Route } from './+types/customer-address.ts'

export const shouldRevalidate = revalidateOnConflict

/** The home of a customer's open project, for the manager to correct. */
export const loader = ({ context, params: { id }, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor } = signedIn(context)
    if (!managesPeople(actor)) refuse('not-found')
    const customer = await customerToActFor(db, actor, id)
    const [home, takenOver] = await Promise.all([
      homeToChange(db, actor, { id: customer.id, projectId: namedIn(url) }, url.searchParams.get('codigo')),
      wouldBeClaimed(db, customer),
    ])
    return { ...home, id, name: calledBy(customer), takenOver, projectId: namedIn(url) }
  })

/** The project whose home it is, where the address names one. */
function namedIn(url: URL): string | null {
  const named = url.searchParams.get(projectParam)
  return named && isId(named) ? named : null
}

export const action = forms(({ context, params: { id }, url }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  if (!managesPeople(actor)) refuse('permission-denied')
  const schemas = ownAddressInput((postalCode) => placeOfCode(db, postalCode))
  return {
    'correct-address': form(schemas.save, async ({ version, moveVisit, visitSeen, newStart, ...address }) => {
      const input = {
        address,
        version: version ?? null,
        moveVisit: moveVisit !== undefined,
        visitSeen,
        newStart: newStart ?? null,
      }
      const followed = await correctAddress(db, actor, { id, projectId: namedIn(url) }, input, now)
      const notice = warnings(address).cfeServiceNumber ?? wordsFor(address.area, followed)
      return redirectWithToast(customerPath(id, namedIn(url)), 'Guardamos su domicilio', notice)
    }),
  }
})

type Followed = { folio: string; startsAt: Date }

/** What became of it: whether we reach it, and when the visits that moved there take place. */
function wordsFor(area: keyof typeof areaNotices, followed: readonly Followed[]): string {
  if (area === 'to_verify') return 'Queda por verificar: di aquí si llegamos o no.'
  if (area === 'outside') return 'Todavía no llegamos a ese código postal.'
  const moved = followed.map(({ folio, startsAt }) => `${folio}: ${dateTime(startsAt)}, en esta dirección.`)
  return moved.join(' ') || 'Desde ahora lo usamos en sus citas nuevas.'
}

const lookupOf = (id: string, codigo: string, project: string | null) =>
  `${customerPath(id)}/domicilio?${new URLSearchParams({ codigo, ...(project && { [projectParam]: project }) })}`

const folded = ['regionGroup', 'municipality', 'state']

export default function CustomerAddress({ loaderData }: Route.ComponentProps) {
  const { address, booked, colonias, home, id, name, projectId, takenOver } = loaderData
  const result = useFormResult('correct-address')
  return (
    <>
      <PageHeader
        title={address ? 'Corregir domicilio' : 'Registrar domicilio'}
        subtitle={`De ${name}`}
        back={{ to: customerPath(id, projectId), label: name }}
      />
      <OrphanedFormError />
      {takenOver && (
        <Alert tone="wait" title="Nadie ha confirmado su correo">
          La cuenta puede ser de alguien más. Al guardar cerramos sus sesiones, su contraseña deja de servir y
          mandamos a su correo el enlace para reclamarla.
        </Alert>
      )}
      {home && (
        <Alert tone="info" title="Su cotización aceptada es para este domicilio">
          Calle, número y código postal ya no se cambian aquí: otro domicilio se aprueba en su cotización.
        </Alert>
      )}
      <Form intent="correct-address" version={address?.version} className="max-w-3xl gap-6">
        <input type="hidden" name="visitSeen" value={booked.map((visit) => visit.id).join()} />
        <PlaceFields
          address={address}
          colonias={colonias}
          isWrong={folded.some((field) => result?.errors[field] !== undefined)}
          lookup={(codigo) => lookupOf(id, codigo, projectId)}
          theirs
        />
        <PinField address={address} theirs />
        <HomeFields address={address} theirs />
        <Arrival address={address} />
        <BookedVisits booked={booked} details={result?.refusal?.details} window={null} />
        <ActionBar>
          <Submit>Guardar domicilio</Submit>
        </ActionBar>
      </Form>
    </>
  )
}
