import { useState } from 'react'
import { legalNameOf, takenOff, withoutCapitalRegime } from '../../domain/invoices/legal-name.ts'
import {
  type CfdiUse,
  type CfdiUseGroup,
  cfdiUseCodes,
  cfdiUseFits,
  cfdiUseGroups,
  cfdiUseLabel,
  cfdiUses,
  faultOfRfc,
  genericTerms,
  isGeneric,
  kindOfRfc,
  normaliseRfc,
  publicRfc,
  type Regime,
  regimeCodes,
  regimeFits,
  regimeLabel,
  taxpayerKinds,
  warningOfRfc,
} from '../../domain/invoices/taxpayer.ts'
import type { ShownFiscal } from '../../server/invoices/queries.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { useFieldResult } from '../ui/form.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { Select } from '../ui/select.tsx'
import { PublicNotice } from './fiscal-notices.tsx'

type FiscalFieldsProps = {
  fiscal: ShownFiscal | null
  /** Where invoices go unless somebody says otherwise. */
  email: string
  /** Ours, which generic RFCs take; '' where nobody gave it. */
  issuerPostalCode: string
}

/** To whom invoices are made out, as the Constancia says it. */
export function FiscalFields({ email, fiscal, issuerPostalCode }: FiscalFieldsProps) {
  const [rfc, setRfc] = useTyped('rfc', fiscal?.rfc)
  // Without JavaScript a box that isn't there could not be filled in.
  const terms = useHydrated() ? genericTerms(normaliseRfc(rfc)) : null
  return (
    <>
      <Card title="Como están en tu Constancia">
        <RfcField rfc={rfc} kept={fiscal?.rfc} onChange={setRfc} />
        {terms && <GenericNotice rfc={normaliseRfc(rfc)} />}
        {!terms?.legalName && <NameField rfc={normaliseRfc(rfc)} fiscal={fiscal} />}
        {!terms && <RegimeAndUse rfc={normaliseRfc(rfc)} fiscal={fiscal} />}
        {!(terms && issuerPostalCode) && (
          <Field
            className="sm:max-w-60"
            label="Código postal fiscal"
            name="postalCode"
            inputMode="numeric"
            autoComplete="postal-code"
            maxLength={10}
            defaultValue={fiscal?.postalCode}
            help="El de tu domicilio fiscal."
          />
        )}
      </Card>
      <Card title="A dónde te las enviamos">
        <Field
          label="Correo para tus facturas"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          defaultValue={fiscal?.email ?? email}
        />
      </Card>
    </>
  )
}

/** What stands in a box: what came back, or what is kept, until somebody types. */
function useTyped(name: string, kept = '') {
  const { typed } = useFieldResult(name)
  return useState(typed ?? kept)
}

type RfcFieldProps = { rfc: string; kept: string | undefined; onChange: (typed: string) => void }

function RfcField({ kept, onChange, rfc }: RfcFieldProps) {
  const tidied = normaliseRfc(rfc)
  // Of the one that is kept the screen warns above.
  const warning = tidied === kept ? null : warningOfRfc(tidied)
  const isWhole = faultOfRfc(tidied) === null
  return (
    <Field
      label="RFC"
      name="rfc"
      autoCapitalize="characters"
      autoComplete="off"
      spellCheck={false}
      maxLength={30}
      className="sm:max-w-96"
      defaultValue={rfc}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      help={
        isWhole && !isGeneric(tidied)
          ? (warning ?? `${taxpayerKinds[kindOfRfc(tidied)]}.`)
          : '13 caracteres, o 12 si es de una empresa.'
      }
    />
  )
}

function NameField({ fiscal, rfc }: { fiscal: ShownFiscal | null; rfc: string }) {
  const [name, setName] = useTyped('legalName', fiscal?.legalName)
  const isMoral = kindOfRfc(rfc) === 'moral'
  const { taken } = withoutCapitalRegime(legalNameOf(name))
  return (
    <Field
      label="Nombre o razón social"
      name="legalName"
      autoComplete="off"
      autoCapitalize="characters"
      maxLength={300}
      defaultValue={name}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      help={
        isMoral && taken ? `${takenOff(taken)}: lo quitamos al guardar.` : 'Completo, como lo tiene el SAT.'
      }
    />
  )
}

/** Only what fits together, as soon as that is known; without JavaScript everything, and the server judges. */
function RegimeAndUse({ fiscal, rfc }: { fiscal: ShownFiscal | null; rfc: string }) {
  const [regime, setRegime] = useTyped('regime', fiscal?.regime)
  const narrows = useHydrated()
  const kinds = narrows && faultOfRfc(rfc) === null ? [kindOfRfc(rfc)] : (['fisica', 'moral'] as const)
  const offered = regimeCodes.filter((code) => kinds.some((kind) => regimeFits(code, kind)))
  const chosen = offered.find((code) => code === regime)
  const fits = (use: CfdiUse) => !narrows || !chosen || kinds.some((kind) => cfdiUseFits(use, chosen, kind))
  return (
    <>
      <Select
        label="Régimen fiscal"
        name="regime"
        placeholder="Elige tu régimen"
        options={offered.map((code: Regime) => ({ value: code, label: regimeLabel(code) }))}
        defaultValue={fiscal?.regime}
        onChange={({ currentTarget }) => setRegime(currentTarget.value)}
      />
      <Select
        label="Uso de la factura"
        name="cfdiUse"
        placeholder="Elige un uso"
        options={usesBy(fits)}
        defaultValue={fiscal?.cfdiUse}
        help="Lo que vas a hacer con ella ante el SAT. Si no sabes, pregúntale a tu contador."
      />
    </>
  )
}

/** The uses that may be asked for, under their headings. */
const usesBy = (fits: (use: CfdiUse) => boolean) =>
  (Object.keys(cfdiUseGroups) as CfdiUseGroup[])
    .map((group) => ({
      label: cfdiUseGroups[group],
      options: cfdiUseCodes
        .filter((use) => cfdiUses[use].group === group && fits(use))
        .map((use) => ({ value: use, label: cfdiUseLabel(use) })),
    }))
    .filter(({ options }) => options.length > 0)

const GenericNotice = ({ rfc }: { rfc: string }) =>
  rfc === publicRfc ? (
    <PublicNotice />
  ) : (
    <Alert tone="info" title="Este RFC es de quien paga impuestos en otro país">
      El SAT pone lo demás: {regimeLabel('616')}, uso {cfdiUseLabel('S01')}.
    </Alert>
  )
