import { ownAddressInput } from '../../domain/appointments/own-address-schema.ts'
import { type areaNotices, warnings } from '../../domain/projects/address.ts'
import { projectParam } from '../../domain/projects/homes.ts'
import { customerPath } from '../../domain/projects/pipeline.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { calledBy, managesPeople } from '../../domain/users/user.ts'
import { wouldBeClaimed } from '../../server/accounts/email-change.ts'
import { db } from '../../server/app/context.ts'
import { isId } from '../../server/platform/database/client.ts'
import { correctAddress } from '../../server/projects/addresses.ts'
import { placeOfCode } from '../../server/projects/postal-list.ts'
import { homeToChange } from '../../server/projects/quoted-home.ts'
import { customerToActFor } from '../../server/users/queries.ts'
import { redirectWithToast } from '../lib/flash.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { form, forms } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { ActionBar } from '../ui/button.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/customer-address.ts'
import { Arrival, BookedVisits, HomeFields, PinField, PlaceFields } from './place-fields.tsx'

export const shouldRevalidate = revalidateOnConflict

/** The home of a customer's open project, for the manager to correct. */
export const loader = ({ context, params: { id }, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const [database, actor] = [context.get(db), requireActor(context)]
    if (!managesPeople(actor)) refuse('not-found')
    const customer = await customerToActFor(database, actor, id)
    const [home, takenOver] = await Promise.all([
      homeToChange(
        database,
        actor,
        { id: customer.id, projectId: namedIn(url) },
        url.searchParams.get('codigo'),
      ),
      wouldBeClaimed(database, customer),
    ])
    return { ...home, id, name: calledBy(customer), takenOver, projectId: namedIn(url) }
  })

/** The project whose home it is, where the address names one. */
function namedIn(url: URL): string | null {
  const named = url.searchParams.get(projectParam)
  return named && isId(named) ? named : null
}

export const action = forms(({ context, params: { id }, url }: Route.ActionArgs) => {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  if (!managesPeople(actor)) refuse('permission-denied')
  const input = ownAddressInput((postalCode) => placeOfCode(database, postalCode))
  return {
    'correct-address': form(input.save, async ({ version, moveVisit, visitSeen, newStart, ...address }) => {
      const wish = {
        address,
        version: version ?? null,
        moveVisit: moveVisit !== undefined,
        visitSeen,
        newStart: newStart ?? null,
      }
      const followed = await correctAddress(database, actor, { id, projectId: namedIn(url) }, wish, now)
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
