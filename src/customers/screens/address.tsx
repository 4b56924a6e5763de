import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { redirect, useFetcher } from 'react-router'
import { OutOfArea } from '../../app/screens/out-of-area.tsx'
import { DiscardHome, OtherHome, QuotedHome, SavedHome } from '../../app/screens/saved-home.tsx'
import { onSiteServices, type Service } from '../../appointments/rules/appointment.ts'
import { customersAddressInput } from '../../appointments/rules/own-address-schema.ts'
import { agendaOf } from '../../appointments/rules/paths.ts'
import { momentFor } from '../../appointments/rules/promise.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { VersionedIf } from '../../kit/form/follow-fields.tsx'
import {
  Form,
  FormDetails,
  type FormResult,
  OrphanedFormError,
  Submit,
  useFormResult,
} from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import type { AddressRow } from '../../platform/database/schema/projects.ts'
import { chooseProject, discardHome, openHomesOf } from '../../projects/open-project.ts'
import { placeOfCode } from '../../projects/postal-list.ts'
import { areaNotices, canBeClaimed, coverageOf, isSameHome, warnings } from '../../projects/rules/address.ts'
import { againstOtherHome, otherHomeIn, otherHomeParam, withProject } from '../../projects/rules/homes.ts'
import { noSuchCode, type Place, placeOf, stateOfCode } from '../../projects/rules/postal-codes.ts'
import { askedCode } from '../../projects/screens/first-touch.ts'
import {
  Arrival,
  BookedVisits,
  HomeFields,
  PinField,
  StreetFields,
} from '../../projects/screens/place-fields.tsx'
import { currentStaffing } from '../../scheduling/roster.ts'
import { mergeField } from '../../shared/merging.ts'
import { municipalities, municipalityLabel } from '../../shared/places.ts'
import { ActionBar } from '../../ui/button.tsx'
import { besideClass, Card, Details } from '../../ui/card.tsx'
import { useLinkAddress } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { randomId } from '../../ui/random-id.ts'
import { archiveAddress, askForNotice, saveAddress } from '../addresses.ts'
import { homeToChange } from '../booked-visit.ts'
import type { Route } from './+types/address.ts'

export const shouldRevalidate = revalidateOnConflict

/** The agenda that sent its customer here for want of an address. */
const wantedBy = (url: URL): Service | null =>
  onSiteServices.find((service) => service === url.searchParams.get('para')) ?? null

export const loader = async ({ context, request, url }: Route.LoaderArgs) => {
  const { db, actor } = signedIn(context)
  const code = url.searchParams.get('codigo')
  const homes = await openHomesOf(db, actor.id)
  const opened = homes.some(({ id }) => id === otherHomeIn(url)) ? null : otherHomeIn(url)
  const [home, place, asked, { settings }] = await Promise.all([
    homeToChange(db, actor, opened ? { id: actor.id, projectId: opened } : actor, code),
    code && /^\d{5}$/.test(code) ? placeOfCode(db, code) : null,
    // Of another home no code was asked on the public page.
    homes.length > 1 || opened ? null : askedCode(request),
    currentStaffing(db),
  ])
  const empty = homes.find(({ street }) => street === null)
  return {
    ...home,
    other: {
      refused: againstOtherHome(actor.emailVerified, homes.length),
      // One that is still without an address is the other home.
      to: empty ? withProject('/address', empty.id) : `/address?${otherHomeParam}=${randomId()}`,
    },
    opened,
    discard: home.address === null && !opened ? discardable(actor.projectId, homes) : null,
    isEditing: home.address === null || url.searchParams.has('editar'),
    asked,
    found: place && { code, place },
    wantedBy: wantedBy(url),
    window: settings.arrivalWindowMinutes,
  }
}

/** A home that may be discarded, and another one. */
function discardable(home: string | null | undefined, homes: readonly { id: string }[]) {
  const next = homes.find(({ id }) => id !== home)
  return home && next ? { home, nextHome: next.id } : null
}

/** The address itself is sent without an intent. */
export const action = forms(
  ({ context, url }: Route.ActionArgs) => addressForms(context, wantedBy(url), otherHomeIn(url)),
  ({ intent }) => intent ?? 'save',
)

function addressForms(context: Route.ActionArgs['context'], wanted: Service | null, other: string | null) {
  const { db, actor, now } = signedIn(context)
  const schemas = customersAddressInput((postalCode) => placeOfCode(db, postalCode))
  return {
    save: form(schemas.save, async ({ version, moveVisit, visitSeen, newStart, ...address }) => {
      const input = {
        address,
        version: version ?? null,
        moveVisit: moveVisit !== undefined,
        visitSeen,
        newStart: newStart ?? null,
      }
      const followed = await saveAddress(db, actor, input, now, other)
      const { settings } = await currentStaffing(db)
      const times = timesOf(followed, settings.arrivalWindowMinutes)
      const notice = areaNotices[address.area] ?? warnings(address).cfeServiceNumber ?? times
      const agenda = wanted ? agendaOf[wanted].to : '/technics-visit'
      return redirectWithToast(
        withProject(address.area === 'served' ? agenda : '/address', other),
        'Guardamos tu domicilio',
        notice ?? (wanted ? 'Ahora elige el día y la hora.' : 'Desde aquí agendas y ves tu visita técnica.'),
      )
    }),
    archive: form(schemas.archive, async ({ version }) => {
      await archiveAddress(db, actor, version, now)
      return redirectWithToast('/address', 'Quitamos tu domicilio', 'Agrega otro antes de agendar.')
    }),
    'discard-home': form(schemas['discard-home'], async ({ home }) => {
      await discardHome(db, actor, home, now)
      return redirectWithToast('/', 'Descartaste el domicilio', 'Los demás siguen igual.', 'default')
    }),
    'choose-home': form(schemas['choose-home'], async ({ back, home }) => {
      await chooseProject(db, actor, home, now)
      return redirect(withProject(back ?? '/', home), 303)
    }),
    notice: form(schemas.notice, async ({ postalCode }) => {
      await askForNotice(db, actor, now, postalCode, other)
      return redirectWithToast(
        withProject('/address', other),
        'Te avisamos cuando lleguemos a tu zona',
        'Te escribimos por correo. No tienes que hacer nada más.',
      )
    }),
  }
}

/** When the appointments that moved to the new address take place, for the customer. */
const timesOf = (followed: readonly { folio: string; service: Service; startsAt: Date }[], window: number) =>
  followed.map((one) => `${one.folio}: ${momentFor(one, window)}, en esta dirección.`).join(' ') || null

const why: Partial<Record<Service, string>> = {
  technical_visit: 'Para agendar tu visita necesitamos saber dónde es.',
  installation: 'Para agendar tu instalación necesitamos saber dónde es.',
}

export default function AddressScreen({ loaderData }: Route.ComponentProps) {
  const { address, discard, home, isEditing, opened, other, wantedBy } = loaderData
  const isQuoted = home !== null && address !== null && isSameHome(home, address)
  const saved = useFormResult()
  const asked = useFormResult('notice')
  const result = saved ?? asked
  const isRead = address !== null && !isEditing && !result
  return (
    <>
      <PageHeader
        title={opened ? 'Otro domicilio' : 'Mi domicilio'}
        subtitle={(wantedBy && why[wantedBy]) ?? 'Aquí te visitamos e instalamos tu cargador.'}
        back={opened || (address && isEditing) ? { to: '/address', label: 'Mi domicilio' } : undefined}
      />
      <OrphanedFormError />
      <div className={isRead ? besideClass : 'grid gap-5'}>
        {isRead ? (
          <SavedHome address={address} isQuoted={isQuoted} />
        ) : (
          // Of another home it is another form, which takes nothing of this one.
          <AddressForm key={opened} loaded={loaderData} isQuoted={isQuoted} result={result} />
        )}
        {discard && <DiscardHome {...discard} />}
        {address && (
          <div className="grid gap-4">
            <OtherHome {...other} />
            {!isQuoted && <Archive version={address.version} />}
          </div>
        )}
      </div>
    </>
  )
}

type Loaded = Route.ComponentProps['loaderData']
type AddressFormProps = { loaded: Loaded; isQuoted: boolean; result: FormResult | undefined }

const noticeForm = 'ask-for-notice'

/** The form of a home: its code decides what else is asked. */
function AddressForm({ loaded, isQuoted, result }: AddressFormProps) {
  const { address, asked, booked, colonias, home, window } = loaded
  const shown = (name: string, stored = '') => mergeField(result?.values ?? {}, name, stored).shown
  const [postalCode, setPostalCode] = useState(shown('postalCode', address?.postalCode ?? asked ?? '').trim())
  const same = address?.postalCode === postalCode ? address : null
  const [claims, setClaims] = useState(
    (same ? shown('confirmInArea', isClaimed(same) ? 'on' : '') : result?.values.confirmInArea) === 'on',
  )
  const fetcher = useFetcher<Loaded>()
  const here = useLinkAddress()
  const found = fetcher.data?.found
  const place = found?.code === postalCode ? found.place : placeOf(postalCode)
  const isFar = stateOfCode(postalCode) !== null && coverageOf(place, claims) === 'not_yet'
  const change = (typed: string) => {
    setPostalCode(typed)
    setClaims(false)
    // Without the project it would be redirected, and the page with it.
    if (/^\d{5}$/.test(typed)) fetcher.load(here(`/address?codigo=${typed}`))
  }
  const rest = isFar && !isQuoted ? 'hidden' : 'grid gap-6'
  return (
    <>
      <Form result={result} version={address?.version} className="max-w-3xl gap-6">
        <input type="hidden" name="visitSeen" value={booked.map(({ id }) => id).join()} />
        {home && address && isQuoted ? (
          <QuotedHome address={address} home={home} />
        ) : (
          <Card title="Dónde está">
            <CodeField place={place} postalCode={postalCode} stored={address?.postalCode} onChange={change} />
            {isFar && (
              <OutOfArea postalCode={postalCode} form={noticeForm} isAsked={isAskedAt(address, postalCode)} />
            )}
            {place.area !== 'served' && (
              <VersionedIf isSame={same !== null}>
                <Claim
                  key={postalCode}
                  address={same}
                  claims={claims}
                  isOpen={canBeClaimed(place)}
                  onChange={setClaims}
                />
              </VersionedIf>
            )}
            <div className={isFar ? 'hidden' : 'grid gap-5 sm:grid-cols-2'}>
              <StreetFields address={address} colonias={fetcher.data?.colonias ?? colonias} />
            </div>
          </Card>
        )}
        <div className={rest}>
          <PinField address={address} />
          <HomeFields address={address} />
          <Arrival address={address} />
          <BookedVisits booked={booked} window={window} details={result?.refusal?.details}>
            {needsHelp(result?.refusal?.details) && booked[0] && (
              <Help about={`Hola, cambié de domicilio y tengo la cita ${booked[0].folio}`} />
            )}
          </BookedVisits>
          <ActionBar>
            <Submit>Guardar</Submit>
          </ActionBar>
        </div>
      </Form>
      {isFar && (
        <Form id={noticeForm} intent="notice" className="hidden">
          <input type="hidden" name="postalCode" value={postalCode} />
        </Form>
      )}
    </>
  )
}

/** Whether the office said that we go there, or will, though its code does not. */
const isClaimed = (address: AddressRow | null) =>
  address !== null && address.area !== 'outside' && placeOf(address.postalCode).area !== 'served'

const isAskedAt = (address: AddressRow | null, postalCode: string) =>
  address?.postalCode === postalCode && address.wantsNoticeAt !== null

type CodeFieldProps = {
  place: Place
  postalCode: string
  stored: string | undefined
  onChange: (typed: string) => void
}

/** The postal code, answered as soon as it is one: where it is, or that there is no such code. */
function CodeField({ onChange, place, postalCode, stored = '' }: CodeFieldProps) {
  const box = useRef<HTMLInputElement>(null)
  const isWhole = /^\d{5}$/.test(postalCode)
  const read = (typed: string) => onChange(typed.replace(/[\s-]/g, ''))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before scripts ran is answered once.
  useEffect(() => {
    const { defaultValue, value } = box.current!
    if (value !== defaultValue) read(value)
  }, [])
  return (
    <div className="grid gap-2">
      <Field
        ref={box}
        label="Código postal"
        name="postalCode"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
        defaultValue={postalCode}
        stored={stored}
        onChange={({ currentTarget }) => read(currentTarget.value)}
        help="Con él sabemos tu alcaldía o municipio."
        error={isWhole && stateOfCode(postalCode) === null ? noSuchCode : undefined}
        className="sm:max-w-60"
      />
      <p role="status" className="flex items-center gap-1.5 font-medium text-brand empty:hidden">
        {place.area === 'served' && (
          <>
            <CircleCheck aria-hidden className="size-4.5 shrink-0" />
            Sí llegamos a {municipalityLabel(place.municipality)}
          </>
        )}
      </p>
    </div>
  )
}

type ClaimProps = {
  address: AddressRow | null
  claims: boolean
  isOpen: boolean
  onChange: (claims: boolean) => void
}

/** For a code that is not in our ranges though its home may be in our area: they are not exact. */
const Claim = ({ address, claims, isOpen, onChange }: ClaimProps) => (
  <Details summary="¿Sí estás en Toluca, Lerma, Huixquilucan o Naucalpan?" open={isOpen}>
    <Checkbox
      label="Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan"
      name="confirmInArea"
      defaultChecked={claims}
      stored={isClaimed(address)}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      help="Te llamamos para confirmarlo."
    />
    <Select
      label="Municipio"
      name="municipality"
      optional={!claims}
      placeholder="Elige tu municipio"
      options={ofEdomex}
      defaultValue={isClaimed(address) ? address?.municipality : undefined}
    />
  </Details>
)

const ofEdomex = municipalities
  .filter(({ group }) => group === 'edomex')
  .map(({ label, slug }) => ({ value: slug, label }))

function Archive({ version }: { version: number }) {
  return (
    <FormDetails
      summary="Quitar este domicilio"
      intent="archive"
      className="max-w-3xl"
      intro={
        <p className="text-[0.9375rem] text-mute">
          Ya no lo usaremos para tus citas. Después puedes agregar otro.
        </p>
      }
    >
      <input type="hidden" name="version" value={version} />
      <Submit variant="destructive">Quitar domicilio</Submit>
    </FormDetails>
  )
}

const needsHelp = (details: unknown) =>
  typeof details === 'object' && details !== null && 'offers' in details && details.offers === 'help'
