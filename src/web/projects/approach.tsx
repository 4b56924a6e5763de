import {
  ClipboardCheck,
  FileText,
  Landmark,
  type LucideIcon,
  MapPin,
  PlugZap,
  TicketPercent,
  UserPlus,
} from 'lucide-react'
import { data } from 'react-router'
import { db } from '../../server/app/context.ts'
import { shownSettings } from '../../server/settings/queries.ts'
import { useCarriedCode } from '../agencies/own-code.tsx'
import { Help } from '../app/help.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { PageTitle } from '../ui/page-header.tsx'
import type { Route } from './+types/approach.ts'
import { askedCoverage, askedEstimate } from './asked.ts'
import { AskForm, EstimateCard } from './estimate-card.tsx'
import { firstTouch, rememberTouch } from './first-touch.ts'

/** More room than the other clean pages have. */
export const handle = { wide: true }

export const loader = async ({ context, request, url }: Route.LoaderArgs) => {
  const [database, query] = [context.get(db), url.searchParams]
  const [{ code }, { estimate }, coverage] = await Promise.all([
    firstTouch(request, url),
    shownSettings(database),
    askedCoverage(database, query),
  ])
  return data(
    { coverage, estimate: askedEstimate(query, estimate), code },
    { headers: await rememberTouch(request, url) },
  )
}

const description =
  'Instalamos el cargador de tu auto eléctrico en tu casa: visita técnica, cotización, instalación y trámite ante CFE. Ciudad de México y zona poniente del Estado de México.'

export default function Approach({ loaderData: { coverage, estimate, code } }: Route.ComponentProps) {
  const carried = useCarriedCode()
  const kept = keptOf({ coverage, estimate, code })
  return (
    <>
      <PageTitle>Tu cargador, instalado en casa</PageTitle>
      <meta name="description" content={description} />
      <section className="grid items-center gap-8 py-4 lg:grid-cols-[1.1fr_1fr] lg:gap-14 lg:py-12">
        <div className="grid gap-5">
          <h1 className="text-[2rem]/[1.1] font-semibold tracking-tight sm:text-5xl/[1.08]">
            Tu cargador, instalado en casa
          </h1>
          <p className="max-w-xl text-lg text-mute">
            Llega con tu auto eléctrico y despierta con la batería llena. Revisamos tu instalación, cotizamos,
            instalamos y llevamos tu trámite ante CFE.
          </p>
          {code && <CodeNotice code={code} />}
          <div className="grid gap-3 sm:flex">
            <LinkButton to={`/signup${carried}`} className="sm:px-7">
              Crear cuenta
            </LinkButton>
            <LinkButton to={`/signin${carried}`} variant="ghost">
              Iniciar sesión
            </LinkButton>
          </div>
        </div>
        <CoverageCard
          coverage={coverage}
          signUp={`/signup${carried}`}
          kept={kept(['metros', 'medidor', 'cargador'])}
        />
      </section>
      <Steps />
      <EstimateCard estimate={estimate} signUp={`/signup${carried}`} kept={kept(['cp', 'mio'])} />
      <section className="mx-auto grid w-full max-w-xl gap-4 py-6 text-center">
        <h2 className="text-xl font-semibold tracking-tight">¿Tienes dudas?</h2>
        <Help about="Hola, quiero instalar un cargador en mi casa" />
      </section>
    </>
  )
}

function CodeNotice({ code }: { code: string }) {
  return (
    <p className="flex items-center gap-2 justify-self-start rounded-control bg-brand-soft px-3.5 py-2.5 text-[0.9375rem] text-brand">
      <TicketPercent aria-hidden className="size-5 shrink-0" />
      <span>
        Tu código <strong>{code}</strong> te acompaña al crear tu cuenta.
      </span>
    </p>
  )
}

type Asked = Route.ComponentProps['loaderData']

/** The query of the other form of the page, so that one answer does not remove the other. */
function keptOf({ coverage, estimate, code }: Asked) {
  const all: Record<string, string | null | undefined> = {
    codigo: code,
    cp: coverage?.postalCode,
    mio: coverage?.answer === 'to_verify' ? 'si' : null,
    metros: estimate.metres,
    medidor: estimate.secondMeter ? 'si' : null,
    cargador: estimate.charger ? 'si' : null,
  }
  return (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(['codigo', ...names].flatMap((name) => (all[name] ? [[name, all[name]]] : [])))
}

const steps: readonly { icon: LucideIcon; title: string; words: string }[] = [
  { icon: UserPlus, title: 'Regístrate', words: 'Crea tu cuenta y dinos dónde vives.' },
  {
    icon: ClipboardCheck,
    title: 'Visita técnica',
    words: 'Revisamos tu instalación y el lugar del cargador.',
  },
  {
    icon: FileText,
    title: 'Cotización',
    words: 'Recibes opciones claras, con IVA. Aceptas y das tu anticipo.',
  },
  { icon: PlugZap, title: 'Instalación', words: 'Medio día en tu casa, con pruebas y garantía por escrito.' },
  { icon: Landmark, title: 'Trámite ante CFE', words: 'Si necesitas otro medidor o más carga, lo llevamos.' },
]

/** From the account to the first charge. */
function Steps() {
  return (
    <section aria-labelledby="steps-title" className="grid gap-6 py-6">
      <h2 id="steps-title" className="text-xl font-semibold tracking-tight">
        Cinco pasos, sin sorpresas
      </h2>
      <ol className="grid gap-x-6 gap-y-0 lg:grid-cols-5">
        {steps.map(({ icon: Icon, title, words }, index) => (
          <li
            key={title}
            className="group relative grid grid-cols-[auto_1fr] content-start gap-x-4 pb-6 lg:grid-cols-1 lg:gap-y-3 lg:pb-0"
          >
            <span
              aria-hidden
              className="absolute top-12 bottom-1 left-[1.4375rem] w-0.5 bg-line group-last:hidden lg:top-[1.4375rem] lg:right-0 lg:bottom-auto lg:left-14 lg:h-0.5 lg:w-auto"
            />
            <span className="grid size-12 place-items-center rounded-full bg-brand-soft text-brand">
              <Icon aria-hidden className="size-6" />
            </span>
            <div className="grid content-start gap-1">
              <h3 className="font-semibold">
                <span className="text-mute">{index + 1}. </span>
                {title}
              </h3>
              <p className="text-[0.9375rem] text-mute">{words}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

type CoverageAsked = NonNullable<Awaited<ReturnType<typeof askedCoverage>>>
type CoverageCardProps = {
  coverage: CoverageAsked | null
  signUp: string
  kept: Readonly<Record<string, string>>
}

/** Whether we get to a postal code. */
function CoverageCard({ coverage, signUp, kept }: CoverageCardProps) {
  return (
    <Card id="cobertura" className="scroll-mt-4 gap-5 sm:p-7">
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-xl font-semibold tracking-tight">
          <MapPin aria-hidden className="size-5 text-brand" />
          ¿Llegamos a tu casa?
        </h2>
        <p className="text-[0.9375rem] text-mute">
          Las 16 alcaldías de la Ciudad de México, Huixquilucan, Lerma, Naucalpan y Toluca.
        </p>
      </div>
      <AskForm id="cobertura" kept={kept} className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-start">
        <Field
          label="Código postal"
          name="cp"
          inputMode="numeric"
          autoComplete="postal-code"
          enterKeyHint="search"
          maxLength={10}
          placeholder="03100"
          defaultValue={coverage?.postalCode}
          error={coverage?.error}
        />
        <Button type="submit" className="sm:mt-[1.875rem]">
          Revisar
        </Button>
      </AskForm>
      <div role="status">
        {coverage?.answer && <Answer coverage={coverage} signUp={signUp} kept={kept} />}
      </div>
    </Card>
  )
}

type AnswerProps = { coverage: CoverageAsked; signUp: string; kept: Readonly<Record<string, string>> }

function Answer({ coverage: { answer, postalCode, name, canClaim }, signUp, kept }: AnswerProps) {
  if (answer === 'yes')
    return (
      <Alert
        tone="ok"
        title={`Sí, llegamos a ${name}`}
        actions={<Start to={signUp}>Agendar mi visita</Start>}
      >
        Crea tu cuenta y agenda tu visita técnica.
      </Alert>
    )
  if (answer === 'to_verify')
    return (
      <Alert tone="info" title="Por verificar" actions={<Start to={signUp}>Crear cuenta</Start>}>
        Da tu domicilio al crear tu cuenta y te llamamos para confirmar si llegamos al {postalCode}.
      </Alert>
    )
  return (
    <Alert
      tone="wait"
      title={`Todavía no llegamos al ${postalCode}`}
      actions={<Start to={signUp}>Crear cuenta</Start>}
    >
      <p>Crea tu cuenta y te avisamos cuando lleguemos a tu zona.</p>
      {canClaim && (
        <p className="mt-2">
          <Link
            to={`?${new URLSearchParams({ ...kept, cp: postalCode, mio: 'si' })}#cobertura`}
            preventScrollReset
          >
            Mi domicilio sí está en Toluca, Lerma, Huixquilucan o Naucalpan
          </Link>
        </p>
      )}
    </Alert>
  )
}

const Start = ({ to, children }: { to: string; children: string }) => (
  <LinkButton to={to}>{children}</LinkButton>
)
