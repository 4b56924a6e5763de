import { z } from 'zod'
import { areaNotices, isSameHome, warnings } from '../../domain/projects/address.ts'
import { dateTime, formatPhone } from '../../domain/shared/format.ts'
import { db } from '../../server/app/context.ts'
import { bookedVisitsOf } from '../../server/projects/booked-visit.ts'
import { archiveAddress, askForNotice, saveAddress } from '../../server/projects/changes.ts'
import { coloniasOf } from '../../server/projects/postal-codes.ts'
import { openProjectOf } from '../../server/projects/queries.ts'
import { quotedHome } from '../../server/projects/quoted-home.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { formOf } from '../lib/form.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { ActionBar } from '../ui/action-bar.tsx'
import { Alert } from '../ui/alert.tsx'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Route } from './+types/address.ts'
import { archiveInput, formInput } from './address-form.ts'
import { BookedVisits } from './booked-visits.tsx'
import { HomeFields } from './home-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import { QuotedHome } from './quoted-home.tsx'

export const shouldRevalidate = afterRefusal

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const database = context.get(db)
  const [project, booked] = await Promise.all([
    openProjectOf(database, someone(context).id),
    bookedVisitsOf(database, someone(context)),
  ])
  const address = project?.address ?? null
  const typed = url.searchParams.get('codigo') ?? ''
  const postalCode = /^\d{5}$/.test(typed) ? typed : address?.postalCode
  return {
    address,
    colonias: postalCode ? await coloniasOf(database, postalCode) : [],
    home: project ? await quotedHome(database, project.id) : null,
    booked: booked.map(({ id, folio, service, startsAt }) => ({ id, folio, service, startsAt })),
  }
}

export const action = async ({ request, context }: Route.ActionArgs) => {
  const [database, actor, now] = [context.get(db), someone(context), new Date()]
  const form = await formOf(request)
  const intent = form.get('intent')
  if (intent === 'archive')
    return submit(request, archiveInput, async ({ version }) => {
      await archiveAddress(database, actor, version, now)
      return toast('/address', 'Quitamos tu domicilio', 'Agrega otro antes de agendar.')
    })
  if (intent === 'notice')
    return submit(request, z.object({}), async () => {
      await askForNotice(database, actor, now)
      return toast(
        '/address',
        'Te avisamos cuando lleguemos a tu zona',
        'Te escribimos por correo. No tienes que hacer nada más.',
      )
    })
  return submit(request, formInput(database), async (form) => {
    const { version, moveVisit, visitSeen, newStart, ...address } = form
    const wish = {
      ...{ address, version: version ?? null, moveVisit: moveVisit !== undefined, visitSeen },
      newStart: newStart ?? null,
    }
    const followed = await saveAddress(database, actor, wish, now)
    const notice = areaNotices[address.area] ?? warnings(address).cfeServiceNumber ?? timesOf(followed)
    const next = address.area === 'served' ? '/technics-visit' : '/address'
    return toast(next, 'Guardamos tu domicilio', notice ?? 'Desde aquí agendas y ves tu visita técnica.')
  })
}

/** When what followed to the new address takes place, for its customer. */
const timesOf = (followed: readonly { folio: string; startsAt: Date }[]) =>
  followed.map(({ folio, startsAt }) => `${folio}: ${dateTime(startsAt)}, en esta dirección.`).join(' ') ||
  null

const folded = ['regionGroup', 'municipality', 'state'] as const

export default function AddressScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { address, booked, colonias, home } = loaderData
  const isQuoted = home !== null && address !== null && isSameHome(home, address)
  const errors: Partial<Record<string, string>> = actionData?.errors ?? {}
  return (
    <>
      <PageHeader title="Mi domicilio" subtitle="Aquí te visitamos e instalamos tu cargador." />
      {address && <AreaNotice address={address} />}
      <Form result={actionData} className="max-w-3xl gap-6">
        {address && <input type="hidden" name="version" value={address.version} />}
        <input type="hidden" name="visitSeen" value={booked.map(({ id }) => id).join()} />
        {home && isQuoted ? (
          <QuotedHome address={address} home={home} />
        ) : (
          <PlaceFields
            address={address}
            colonias={colonias}
            isWrong={folded.some((name) => errors[name] !== undefined)}
          />
        )}
        <HomeFields address={address} />
        <Arrival address={address} />
        <BookedVisits booked={booked} details={actionData?.refusal?.details} />
        <ActionBar>
          <Submit>Guardar</Submit>
        </ActionBar>
      </Form>
      {address && !isQuoted && <Archive version={address.version} />}
    </>
  )
}

type PartProps = { address: Route.ComponentProps['loaderData']['address'] }

/** What we can't promise at this address yet, and what its person can do about it. */
function AreaNotice({ address: { area, wantsNoticeAt } }: { address: NonNullable<PartProps['address']> }) {
  const notice = areaNotices[area]
  if (!notice) return null
  const ask = area === 'outside' && !wantsNoticeAt && (
    <Form>
      <Submit name="intent" value="notice" variant="ghost">
        Avísame cuando lleguen a mi zona
      </Submit>
    </Form>
  )
  return (
    <Alert tone="wait" title={notice} actions={ask || undefined}>
      {wantsNoticeAt && 'Te avisamos cuando lleguemos a tu zona.'}
    </Alert>
  )
}

function Archive({ version }: { version: number }) {
  return (
    <Details summary="Quitar este domicilio" className="max-w-3xl">
      <p className="text-[0.9375rem] text-mute">Ya no lo usaremos para tus citas. Después puedes dar otro.</p>
      <Form>
        <input type="hidden" name="version" value={version} />
        <Submit name="intent" value="archive" variant="destructive">
          Quitar domicilio
        </Submit>
      </Form>
    </Details>
  )
}

function Arrival({ address }: PartProps) {
  const phone = address?.receiverPhone
  return (
    <Details summary="Para llegar más fácil (opcional)" open={Boolean(address)}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Entre calles"
          name="betweenStreets"
          optional
          defaultValue={address?.betweenStreets ?? ''}
        />
        <Field label="Quién recibe" name="receiverName" optional defaultValue={address?.receiverName ?? ''} />
        <Field
          label="Teléfono de quien recibe"
          name="receiverPhone"
          type="tel"
          inputMode="tel"
          optional
          defaultValue={phone ? formatPhone(phone) : ''}
        />
      </div>
      <TextArea
        label="Referencias"
        name="references"
        optional
        maxLength={300}
        defaultValue={address?.references ?? ''}
      />
      <TextArea
        label="Notas de acceso"
        name="gateNotes"
        optional
        maxLength={300}
        defaultValue={address?.gateNotes ?? ''}
      />
    </Details>
  )
}
