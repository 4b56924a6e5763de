import { useState } from 'react'
import { useFetcher } from 'react-router'
import { dwellingLabels, parkingLabels } from '../../domain/projects/address.ts'
import { placeOf } from '../../domain/projects/postal-codes.ts'
import { municipalities, municipalityLabel, regionGroups, states } from '../../domain/shared/places.ts'
import type { AddressRow } from '../../server/platform/database/schema/projects.ts'
import { Card, Details } from '../ui/card.tsx'
import { Checkbox, Field, Select } from '../ui/field.tsx'

type PlaceFieldsProps = {
  address: AddressRow | null
  colonias: readonly string[]
  /** A field that is usually folded away is wrong. */
  isWrong: boolean
  /** The address that returns the colonias of a code; null where there is none. */
  lookup?: ((postalCode: string) => string) | null
}

const ownAddress = (postalCode: string) => `/address?codigo=${postalCode}`

/** Where an address is. The postal code names the borough, and the colonias where the official list was loaded. */
export function PlaceFields({ address, colonias, isWrong, lookup = ownAddress }: PlaceFieldsProps) {
  const [postalCode, setPostalCode] = useState(address?.postalCode ?? '')
  const fetcher = useFetcher<{ colonias: string[] }>()
  const change = (typed: string) => {
    setPostalCode(typed)
    if (lookup && /^\d{5}$/.test(typed)) fetcher.load(lookup(typed))
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
          defaultValue={address?.postalCode}
          onChange={({ currentTarget }) => change(currentTarget.value.trim())}
          help="Con él sabemos tu alcaldía o municipio."
        />
        <Field
          label="Colonia"
          name="colonia"
          autoComplete="address-level3"
          list="colonias"
          defaultValue={address?.colonia}
        />
        <Suggestions id="colonias" words={fetcher.data?.colonias ?? colonias} />
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
        <Field
          label="Número interior"
          name="innerNumber"
          optional
          defaultValue={address?.innerNumber ?? ''}
        />
      </div>
      <Municipality address={address} postalCode={postalCode} isWrong={isWrong} />
    </Card>
  )
}

type MunicipalityProps = Omit<PlaceFieldsProps, 'colonias' | 'lookup'> & { postalCode: string }

/** What follows from the postal code stays folded; a customer outside our area writes it. */
function Municipality({ address, postalCode, isWrong }: MunicipalityProps) {
  const typed = address?.area === 'served' && !address.areaVerifiedAt ? null : address
  const place = placeOf(postalCode)
  const name = place.area === 'served' ? `: ${municipalityLabel(place.municipality)}` : ''
  return (
    <Details summary={`Alcaldía o municipio${name}`} open={typed !== null || isWrong}>
      <p className="text-sm text-mute">
        Lo llenamos con tu código postal. Escríbelo solo si vives fuera de la Ciudad de México y su área.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Región"
          name="regionGroup"
          optional
          placeholder="Según mi código postal"
          options={regionGroups.map(({ id, label }) => ({ value: id, label }))}
          defaultValue={typed?.regionGroup}
        />
        <Field
          label="Alcaldía o municipio"
          name="municipality"
          optional
          list="municipalities"
          autoComplete="address-level2"
          defaultValue={typed ? municipalityLabel(typed.municipality) : ''}
        />
        <Suggestions id="municipalities" words={municipalities.map(({ label }) => label)} />
        <Select
          label="Estado"
          name="state"
          optional
          placeholder="Según mi código postal"
          options={states.map(({ slug, label }) => ({ value: slug, label }))}
          defaultValue={typed?.state}
        />
      </div>
      <Checkbox
        label="Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan"
        name="confirmInArea"
        defaultChecked={typed !== null && typed.area !== 'outside'}
        help="Márcalo si tu código postal no aparece en nuestra zona. Te llamamos para confirmarlo."
      />
    </Details>
  )
}

const Suggestions = ({ id, words }: { id: string; words: readonly string[] }) => (
  <datalist id={id}>
    {words.map((word) => (
      <option key={word} value={word} />
    ))}
  </datalist>
)

const options = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** What the place is like. */
export function HomeFields({ address }: { address: AddressRow | null }) {
  return (
    <Card title="Cómo es">
      <div className="grid gap-5 sm:grid-cols-2">
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
        <Field
          className="sm:col-span-2"
          label="Número de servicio de CFE"
          name="cfeServiceNumber"
          optional
          inputMode="numeric"
          defaultValue={address?.cfeServiceNumber ?? ''}
          help="12 dígitos; está en tu recibo de luz."
        />
      </div>
    </Card>
  )
}
