import { Field, Select } from '../../kit/form/field.tsx'
import { useTyped } from '../../kit/form/follow-fields.tsx'
import { dateTime } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card } from '../../ui/card.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import type { ShownFiscal } from '../fiscal-data.ts'
import { legalNameOf, takenOff, withoutCapitalRegime } from '../rules/legal-name.ts'
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
} from '../rules/taxpayer.ts'

type FiscalFieldsProps = {
  fiscal: ShownFiscal | null
  /** Where invoices go unless the customer gives another address. */
  email: string
  /** Ours, which generic RFCs take; '' where it is not set. */
  issuerPostalCode: string
}

/** The recipient of invoices, as in the Constancia. */
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

type RfcFieldProps = { rfc: string; kept: string | undefined; onChange: (typed: string) => void }

function RfcField({ kept, onChange, rfc }: RfcFieldProps) {
  const tidied = normaliseRfc(rfc)
  // The screen already warns above of the stored one.
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
      stored={kept ?? ''}
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
      stored={fiscal?.legalName ?? ''}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      help={
        isMoral && taken ? `${takenOff(taken)}: lo quitamos al guardar.` : 'Completo, como lo tiene el SAT.'
      }
    />
  )
}

/** Only compatible choices, as soon as they are known; without JavaScript all of them, and the server validates. */
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
        help="Para qué la vas a usar ante el SAT. Si no sabes, pregúntale a tu contador."
      />
    </>
  )
}

/** The possible uses, under their headings. */
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

/** The state of a customer's fiscal data, and what they have to do about it. */
export function FiscalNotices({ fiscal }: { fiscal: ShownFiscal | null }) {
  if (!fiscal) return null
  const { tone, title, children } = noticeOf(fiscal)
  return (
    <div className="grid max-w-3xl gap-3">
      <Alert tone={tone} title={title}>
        {children}
      </Alert>
      {fiscal.warning && (
        <Alert tone="wait" title="Revisa tu RFC">
          {fiscal.warning}
        </Alert>
      )}
      {fiscal.rfc === publicRfc && <PublicNotice />}
    </div>
  )
}

/** Says that the generic RFC gets no invoice of its own. */
const PublicNotice = () => (
  <Alert tone="info" title="Con este RFC no hay factura individual">
    {publicRfc} es el RFC del público en general: tu compra entra en nuestra factura global y no podrás
    deducirla. Si necesitas factura, escribe tu propio RFC.
  </Alert>
)

type Notice = { tone: Tone; title: string; children?: string }

function noticeOf({ constancia, rejectedReason, rfc, state, submittedAt }: ShownFiscal): Notice {
  const isMissing = !constancia && !genericTerms(rfc)
  switch (state) {
    case 'draft':
      return { tone: 'wait', title: 'Es un borrador', children: 'Envíalo para que lo revisemos.' }
    case 'submitted':
      return isMissing
        ? {
            tone: 'wait',
            title: 'Falta tu Constancia',
            children: 'Recibimos tus datos. Sube tu Constancia para que podamos verificarlos.',
          }
        : {
            tone: 'info',
            title: 'Los estamos revisando',
            children: `${submittedAt ? `Los enviaste el ${dateTime(submittedAt)} ` : ''}Te avisamos por correo.`,
          }
    case 'verified':
      return {
        tone: 'ok',
        title: 'Tus datos están verificados',
        children: 'Si cambias algo, los revisamos otra vez.',
      }
    case 'rejected':
      return { tone: 'bad', title: 'Hay algo que corregir', children: rejectedReason ?? '' }
  }
}
