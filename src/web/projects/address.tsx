import { ownAddressInput } from '../../domain/appointments/schema.ts'
import { areaNotices, type Home, homeLine, isSameHome, warnings } from '../../domain/projects/address.ts'
import { dateTime } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import { db } from '../../server/app/context.ts'
import type { AddressRow } from '../../server/platform/database/schema/projects.ts'
import { archiveAddress, askForNotice, saveAddress } from '../../server/projects/addresses.ts'
import { placeOfCode } from '../../server/projects/postal-list.ts'
import { homeToChange } from '../../server/projects/quoted-home.ts'
import { Help } from '../app/help.tsx'
import { redirectWithToast } from '../lib/flash.ts'
import { requireActor } from '../lib/require-actor.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { form, forms } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { ActionBar } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/address.ts'
import { Arrival, BookedVisits, HomeFields, PinField, PlaceFields } from './place-fields.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  homeToChange(context.get(db), requireActor(context), url.searchParams.get('codigo'))

/** The address itself is sent without an intent. */
export const action = forms(
  ({ context }: Route.ActionArgs) => addressForms(context),
  ({ intent }) => intent ?? 'save',
)

function addressForms(context: Route.ActionArgs['context']) {
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  const input = ownAddressInput((postalCode) => placeOfCode(database, postalCode))
  return {
    save: form(input.save, async ({ version, moveVisit, visitSeen, newStart, ...address }) => {
      const wish = {
        address,
        version: version ?? null,
        moveVisit: moveVisit !== undefined,
        visitSeen,
        newStart: newStart ?? null,
      }
      const followed = await saveAddress(database, actor, wish, now)
      const notice = areaNotices[address.area] ?? warnings(address).cfeServiceNumber ?? timesOf(followed)
      const next = address.area === 'served' ? '/technics-visit' : '/address'
      return redirectWithToast(
        next,
        'Guardamos tu domicilio',
        notice ?? 'Desde aquí agendas y ves tu visita técnica.',
      )
    }),
    archive: form(input.archive, async ({ version }) => {
      await archiveAddress(database, actor, version, now)
      return redirectWithToast('/address', 'Quitamos tu domicilio', 'Agrega otro antes de agendar.')
    }),
    notice: form(input.notice, async () => {
      await askForNotice(database, actor, now)
      return redirectWithToast(
        '/address',
        'Te avisamos cuando lleguemos a tu zona',
        'Te escribimos por correo. No tienes que hacer nada más.',
      )
    }),
  }
}

/** When the appointments that moved to the new address take place, for the customer. */
const timesOf = (followed: readonly { folio: string; startsAt: Date }[]) =>
  followed.map(({ folio, startsAt }) => `${folio}: ${dateTime(startsAt)}, en esta dirección.`).join(' ') ||
  null

const folded = ['regionGroup', 'municipality', 'state'] as const

export default function AddressScreen({ loaderData }: Route.ComponentProps) {
  const { address, booked, colonias, home } = loaderData
  const isQuoted = home !== null && address !== null && isSameHome(home, address)
  const result = useFormResult()
  const errors = result?.errors ?? {}
  return (
    <>
      <PageHeader title="Mi domicilio" subtitle="Aquí te visitamos e instalamos tu cargador." />
      {address && <AreaNotice address={address} />}
      <Form result={result} className="max-w-3xl gap-6">
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
        <PinField address={address} />
        <HomeFields address={address} />
        <Arrival address={address} />
        <BookedVisits booked={booked} details={result?.refusal?.details}>
          {needsHelp(result?.refusal?.details) && booked[0] && (
            <Help about={`Hola, cambié de domicilio y tengo la cita ${booked[0].folio}`} />
          )}
        </BookedVisits>
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
    <Form intent="notice">
      <Submit variant="ghost">Avísame cuando lleguen a mi zona</Submit>
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
    <FormDetails
      summary="Quitar este domicilio"
      intent="archive"
      className="max-w-3xl"
      intro={
        <p className="text-[0.9375rem] text-mute">
          Ya no lo usaremos para tus citas. Después puedes dar otro.
        </p>
      }
    >
      <input type="hidden" name="version" value={version} />
      <Submit variant="destructive">Quitar domicilio</Submit>
    </FormDetails>
  )
}

const kept = [
  'postalCode',
  'colonia',
  'street',
  'outerNumber',
  'innerNumber',
  'regionGroup',
  'state',
] as const

/** The place of an accepted quote: it stays as it is, and the customer can still change how to get there. */
const QuotedHome = ({ address, home }: { address: AddressRow; home: Home }) => (
  <Card title="Dónde está">
    {kept.map((name) => (
      <input key={name} type="hidden" name={name} value={address[name] ?? ''} />
    ))}
    {/* What the postal code already says is not repeated. */}
    {address.area !== 'served' && (
      <>
        <input type="hidden" name="regionGroup" value={address.regionGroup ?? ''} />
        <input type="hidden" name="municipality" value={municipalityLabel(address.municipality)} />
        <input type="hidden" name="state" value={address.state} />
        {address.area === 'to_verify' && <input type="hidden" name="confirmInArea" value="on" />}
      </>
    )}
    <p className="wrap-anywhere">
      {homeLine(home)}, {home.colonia}, {municipalityLabel(home.municipality)}
    </p>
    <Alert tone="info" title="Tu cotización es para este domicilio" actions={<Help about={about} />}>
      La calle, el número y el código postal ya no se cambian aquí. ¿Quieres instalar en otro domicilio?
      Escríbenos y lo vemos contigo.
    </Alert>
  </Card>
)

const about = 'Hola, quiero instalar mi cargador en otro domicilio'

const needsHelp = (details: unknown) =>
  typeof details === 'object' && details !== null && 'offers' in details && details.offers === 'help'
