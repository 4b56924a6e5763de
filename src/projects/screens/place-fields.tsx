import { type ReactNode, useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { Service } from '../../appointments/rules/appointment.ts'
import { momentFor, type ReaderWindow } from '../../appointments/rules/promise.ts'
import { Checkbox, Field, FieldNotes, Select, TextArea, useField } from '../../kit/form/field.tsx'
import { useTyped, VersionedIf } from '../../kit/form/follow-fields.tsx'
import { useFieldResult } from '../../kit/form/form.tsx'
import { isLost } from '../../kit/network.ts'
import type { AddressRow } from '../../platform/database/schema/projects.ts'
import { formatPhone } from '../../shared/format.ts'
import { municipalities, municipalityLabel, regionGroups, states } from '../../shared/places.ts'
import { Card, Details } from '../../ui/card.tsx'
import { useLinkAddress } from '../../ui/link.tsx'
import { dwellingLabels, parkingLabels } from '../rules/address.ts'
import { pinOf, pinText } from '../rules/pin.ts'
import { placeOf } from '../rules/postal-codes.ts'

type PlaceFieldsProps = {
  address: AddressRow | null
  colonias: readonly string[]
  /** A field that is usually folded away is wrong. */
  isWrong: boolean
  /** The address that returns the colonias of a code; null where there is none. */
  lookup?: ((postalCode: string) => string) | null
  /** The office's words, about a customer's home. */
  theirs?: boolean
}

const ownAddress = (postalCode: string) => `/address?codigo=${postalCode}`

/** Where an address is. The postal code names the borough, and the colonias where the official list was loaded. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { address, colonias, isWrong, lookup = ownAddress, theirs = false } = props
  const [postalCode, setPostalCode] = useTyped('postalCode', address?.postalCode)
  const fetcher = useFetcher<{ colonias: string[] }>()
  const here = useLinkAddress()
  const change = (typed: string) => {
    setPostalCode(typed)
    if (lookup && !isLost() && /^\d{5}$/.test(typed)) fetcher.load(here(lookup(typed)))
  }
  return (
    <Card title="Dónde está">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Código postal"
          name="postalCode"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={10}
          defaultValue={postalCode}
          stored={address?.postalCode ?? ''}
          onChange={({ currentTarget }) => change(currentTarget.value.trim())}
          help={`Con él sabemos ${theirs ? 'la' : 'tu'} alcaldía o municipio.`}
        />
        <StreetFields address={address} colonias={fetcher.data?.colonias ?? colonias} />
      </div>
      <VersionedIf isSame={address?.postalCode === postalCode}>
        <Municipality
          // Another code says another place: what belonged to the one before goes.
          key={/^\d{5}$/.test(postalCode) ? postalCode : ''}
          address={address}
          postalCode={postalCode}
          isWrong={isWrong}
          theirs={theirs}
        />
      </VersionedIf>
    </Card>
  )
}

/** Colonia, street and numbers, in a grid of two columns. */
export const StreetFields = ({ address, colonias }: Pick<PlaceFieldsProps, 'address' | 'colonias'>) => (
  <>
    <Field
      label="Colonia"
      name="colonia"
      autoComplete="address-level3"
      list="colonias"
      defaultValue={address?.colonia}
    />
    <Suggestions id="colonias" words={colonias} />
    <Field
      className="sm:col-span-2"
      label="Calle"
      name="street"
      autoComplete="address-line1"
      defaultValue={address?.street}
    />
    <Field
      label="Número exterior"
      name="outerNumber"
      defaultValue={address?.outerNumber}
      help="Escribe S/N si no tiene."
    />
    <Field label="Número interior" name="innerNumber" optional defaultValue={address?.innerNumber ?? ''} />
  </>
)

type MunicipalityProps = Omit<PlaceFieldsProps, 'colonias' | 'lookup'> & { postalCode: string }

/** What follows from the postal code stays folded; a customer outside our area writes it. */
function Municipality({ address, postalCode, isWrong, theirs }: MunicipalityProps) {
  const place = placeOf(postalCode)
  const isSame = address?.postalCode === postalCode && place.area !== 'served'
  const typed = isSame ? address : null
  if (place.area === 'served') return <p className="font-medium">{municipalityLabel(place.municipality)}</p>
  // The code does not say it.
  const isAsked = /^\d{5}$/.test(postalCode)
  return (
    <Details summary="Alcaldía o municipio" open={typed !== null || isWrong || isAsked}>
      <p className="text-sm text-mute">
        Se llena con el código postal. Escríbelo solo si está fuera de la Ciudad de México y su área.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Región"
          name="regionGroup"
          optional
          placeholder="Según el código postal"
          options={regionGroups.map(({ id, label }) => ({ value: id, label }))}
          defaultValue={typed?.regionGroup}
        />
        <Field
          label="Alcaldía o municipio"
          name="municipality"
          optional={!isAsked}
          list="municipalities"
          autoComplete="address-level2"
          defaultValue={typed ? municipalityLabel(typed.municipality) : ''}
        />
        <Suggestions id="municipalities" words={municipalities.map(({ label }) => label)} />
        <Select
          label="Estado"
          name="state"
          optional={!(isAsked && place.area === 'elsewhere')}
          placeholder="Según el código postal"
          options={states.map(({ slug, label }) => ({ value: slug, label }))}
          defaultValue={typed?.state}
        />
      </div>
      <Checkbox
        label={`${theirs ? 'Su' : 'Mi'} domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan`}
        name="confirmInArea"
        defaultChecked={typed !== null && typed.area !== 'outside'}
        help={`Márcalo si ${theirs ? 'su' : 'tu'} código postal no aparece en nuestra zona. ${theirs ? 'Queda por verificar.' : 'Te llamamos para confirmarlo.'}`}
      />
    </Details>
  )
}

export const Suggestions = ({ id, words }: { id: string; words: readonly string[] }) => (
  <datalist id={id}>
    {words.map((word) => (
      <option key={word} value={word} />
    ))}
  </datalist>
)

/** Where the home stands on a map: for its customer folded away until it is set, or wrong. */
export function PinField({ address, theirs = false }: Pick<PlaceFieldsProps, 'address' | 'theirs'>) {
  const { error, typed } = useFieldResult('pin')
  const pin = address && pinOf(address)
  const field = (
    <Field
      label="Ubicación en el mapa"
      name="pin"
      optional
      maxLength={2000}
      autoComplete="off"
      spellCheck={false}
      placeholder="19.4326, -99.1332"
      defaultValue={pin ? pinText(pin) : ''}
      help={`En Google Maps deja presionad${theirs ? 'o su domicilio' : 'a tu casa'}, copia las coordenadas y pégalas aquí. También sirve el enlace largo del navegador; los cortos (maps.app.goo.gl) no.`}
    />
  )
  if (theirs) return <Card>{field}</Card>
  return (
    <Details summary="Marcar mi casa en el mapa (opcional)" open={pin !== null || Boolean(error ?? typed)}>
      {field}
    </Details>
  )
}

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** What the place is like. */
export const HomeFields = ({ address, theirs = false }: Pick<PlaceFieldsProps, 'address' | 'theirs'>) => (
  <Card title="Cómo es">
    <div className="grid gap-5 sm:grid-cols-2">
      <KindFields address={address} />
      <Field
        className="sm:col-span-2"
        label="Número de servicio de CFE"
        name="cfeServiceNumber"
        optional
        inputMode="numeric"
        defaultValue={address?.cfeServiceNumber ?? ''}
        help={`12 dígitos; está en ${theirs ? 'su' : 'tu'} recibo de luz.`}
      />
    </div>
  </Card>
)

/** What kind of home it is, and where the car stands. */
export const KindFields = ({ address }: Pick<PlaceFieldsProps, 'address'>) => (
  <>
    <Select
      label="Tipo de vivienda"
      name="dwelling"
      placeholder="Elige una opción"
      options={options(dwellingLabels)}
      defaultValue={address?.dwelling}
    />
    <Select
      label="Estacionamiento"
      name="parking"
      placeholder="Elige una opción"
      options={options(parkingLabels)}
      defaultValue={address?.parking}
    />
  </>
)

/** What helps to get there. */
export function Arrival({ address }: { address: AddressRow | null }) {
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

type Booked = { id: string; folio: string; service: Service; startsAt: Date }
type BookedVisitsProps = {
  booked: readonly Booked[]
  /** The details of a refusal: times to choose from. */
  details: unknown
  /** Of the customer who reads it; null for the office, whose words differ. */
  window: ReaderWindow
  children?: ReactNode
}

const names: Partial<Record<Service, string>> = { technical_visit: 'visita', installation: 'instalación' }

/** Whether what is booked goes to this address, and when, if no assignee can be there at its hour. */
export function BookedVisits({ booked, children, details, window }: BookedVisitsProps) {
  const [first] = booked
  if (!first) return null
  const times = timesIn(details)
  const theirs = window === null
  const all = booked.map(({ folio, service }) => `la ${names[service]} ${folio}`).join(' y ')
  return (
    <Card title={`${theirs ? 'Tiene' : 'Tienes'} ${names[first.service]} el ${momentFor(first, window)}`}>
      <Checkbox
        label={`${all[0]?.toUpperCase()}${all.slice(1)} ${booked.length > 1 ? 'van' : 'va'} a esta dirección`}
        name="moveVisit"
        defaultChecked
      />
      {times.length > 0 && (
        <OtherTime times={times} service={first.service} window={window} details={details} />
      )}
      {children}
    </Card>
  )
}

type OtherTimeProps = { times: readonly string[]; service: Service; window: ReaderWindow; details: unknown }

/** The offered hours, at the end of a long form: whoever is asked for one is led to them. */
function OtherTime({ times, service, window, details }: OtherTimeProps) {
  const help = `No cuenta entre ${window === null ? 'sus' : 'tus'} cambios.`
  const { described, error, id, typed } = useField({ name: 'newStart', help })
  const first = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each answer that offers some.
  useEffect(() => {
    // After the form has shown its answer, which stands far above.
    const frame = requestAnimationFrame(() => {
      first.current?.focus({ preventScroll: true })
      first.current?.closest('fieldset')?.scrollIntoView({ block: 'center' })
    })
    return () => cancelAnimationFrame(frame)
  }, [details])
  return (
    <fieldset {...described} id={id} className="grid gap-2">
      <legend className="mb-2 font-semibold">Otro horario, en la nueva dirección</legend>
      {times.map((start, nth) => (
        <label
          key={start}
          className="flex min-h-12 items-center gap-3 rounded-control border border-line px-3.5 py-2 has-checked:border-brand has-checked:bg-brand-soft"
        >
          <input
            ref={nth === 0 ? first : undefined}
            // Without JavaScript too.
            {...(nth === 0 && { autoFocus: true })}
            type="radio"
            name="newStart"
            value={start}
            defaultChecked={typed === start}
            className="size-5 shrink-0 accent-brand"
          />
          {momentFor({ service, startsAt: new Date(start) }, window)}
        </label>
      ))}
      <FieldNotes id={id} error={error} help={help} />
    </fieldset>
  )
}

const timesIn = (details: unknown): string[] =>
  typeof details === 'object' && details && 'times' in details ? (details.times as string[]) : []
