import {
  BadgeCheck,
  ClipboardCheck,
  FileText,
  Landmark,
  type LucideIcon,
  MapPin,
  PlugZap,
  ShieldCheck,
  TicketPercent,
  UserPlus,
  Wallet,
} from 'lucide-react'
import { data } from 'react-router'
import { greetedCode } from '../../agencies/redeem.ts'
import type { Redeemed } from '../../agencies/rules/clients.ts'
import { benefitWords } from '../../agencies/rules/codes.ts'
import { useCarriedCode } from '../../agencies/screens/own-code.tsx'
import { customerQuestions, Questions } from '../../app/screens/questions.tsx'
import { questionFacts, SharedCard } from '../../app/screens/shared-card.tsx'
import { Field } from '../../kit/form/field.tsx'
import { Help } from '../../kit/help.tsx'
import { requestOf } from '../../kit/request.ts'
import { cityAreas } from '../../projects/rules/address.ts'
import { firstTouch, rememberCode, rememberTouch } from '../../projects/screens/first-touch.ts'
import { shownSettings } from '../../settings/queries.ts'
import { lowerFirst } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageTitle } from '../../ui/page-header.tsx'
import type { Route } from './+types/approach.ts'
import { askedCoverage, askedEstimate } from './asked.ts'
import { AskForm, EstimateCard } from './estimate-card.tsx'

/** More room than the other clean pages have. */
export const handle = { wide: true }

export const loader = async ({ context, request, url }: Route.LoaderArgs) => {
  const { db, caller, calendarSource } = requestOf(context)
  const query = url.searchParams
  const { address, now } = caller
  const [{ code }, { estimate, visitFee, quotes, support }, coverage] = await Promise.all([
    firstTouch(request, url),
    shownSettings(db),
    askedCoverage(db, query),
  ])
  const [greeted, headers] = await Promise.all([
    code ? greetedCode(db, code, address, now) : null,
    rememberTouch(request, url),
  ])
  if (coverage?.answer) await rememberCode(headers, coverage.postalCode)
  const { baseUrl, brand } = calendarSource
  const promises = { warrantyMonths: quotes.warrantyMonths, free: visitFee.amount === 0 }
  return data(
    {
      coverage,
      estimate: askedEstimate(query, estimate),
      code,
      greeted,
      promises,
      phone: support.phone,
      site: { address: `${baseUrl}/approach`, brand },
    },
    { headers },
  )
}

const description =
  'Instalamos el cargador de tu auto eléctrico en casa: visita, cotización, instalación y trámite ante CFE. Ciudad de México y poniente del Estado de México.'

const title = 'Tu cargador, instalado en casa'

export default function Approach({ loaderData }: Route.ComponentProps) {
  const { coverage, estimate, code, greeted, promises } = loaderData
  const carried = useCarriedCode()
  const kept = keptOf({ coverage, estimate, code })
  const questions = customerQuestions(promises)
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <Facts {...loaderData} questions={questions} />
      <section className="grid items-center gap-8 py-2 lg:grid-cols-[1.1fr_1fr] lg:gap-14 lg:py-8">
        <div className="grid gap-5">
          <h1 className="text-[2rem]/[1.1] font-semibold tracking-tight sm:text-5xl/[1.08]">{title}</h1>
          <p className="max-w-xl text-lg text-mute">
            Llega con tu auto eléctrico y despierta con la batería llena.{' '}
            {promises.free
              ? 'La visita técnica es gratis: revisamos, cotizamos, instalamos y llevamos tu trámite ante CFE.'
              : 'Revisamos, cotizamos, instalamos y llevamos tu trámite ante CFE.'}
          </p>
          {greeted && <CodeNotice greeted={greeted} />}
          <div className="grid gap-3 sm:flex">
            <LinkButton to={`/signup${carried}`} className="sm:px-7">
              {promises.free ? 'Agendar mi visita gratis' : 'Agendar mi visita'}
            </LinkButton>
            <LinkButton to={`/signin${carried}`} variant="ghost">
              Iniciar sesión
            </LinkButton>
          </div>
        </div>
        <img
          src="/icons/finished.webp"
          alt="Un cargador instalado en la pared de una cochera, con su auto conectado"
          width={960}
          height={720}
          fetchPriority="high"
          className="aspect-4/3 w-full rounded-card border border-line object-cover"
        />
      </section>
      <Promises {...promises} />
      <div className="grid gap-4 lg:grid-cols-[1fr_1.4fr]">
        <CoverageCard
          coverage={coverage}
          signUp={`/signup${carried}`}
          kept={kept(['metros', 'medidor', 'cargador'])}
        />
        <EstimateCard estimate={estimate} signUp={`/signup${carried}`} kept={kept(['cp', 'mio'])} />
      </div>
      <Steps />
      <section aria-labelledby="dudas-title" id="dudas" className="grid scroll-mt-4 gap-4 py-6">
        <h2 id="dudas-title" className="text-xl font-semibold tracking-tight">
          Lo que más nos preguntan
        </h2>
        <Questions list={questions} />
      </section>
      <section className="mx-auto grid w-full max-w-xl gap-4 py-6 text-center">
        <h2 className="text-xl font-semibold tracking-tight">¿Tienes otra duda?</h2>
        <Help about="Hola, quiero instalar un cargador en mi casa" />
      </section>
    </>
  )
}

type Promised = Route.ComponentProps['loaderData']['promises']

/** What we stand for, in three lines. */
function Promises({ warrantyMonths, free }: Promised) {
  const list: readonly { icon: LucideIcon; title: string; words: string }[] = [
    free
      ? { icon: Wallet, title: 'Visita gratis', words: 'Medimos y te cotizamos sin compromiso.' }
      : { icon: Wallet, title: 'Precio claro', words: 'Con IVA y por escrito, antes de empezar.' },
    {
      icon: ShieldCheck,
      title: `${warrantyMonths} meses de garantía`,
      words: 'Por escrito, y la reportas desde tu cuenta.',
    },
    {
      icon: BadgeCheck,
      title: 'Calculado con la norma',
      words: 'Cada instalación se calcula y se prueba como pide la NOM-001-SEDE, y recibes sus mediciones.',
    },
  ]
  return (
    <ul className="grid gap-4 rounded-card bg-brand-soft p-4 sm:grid-cols-3 sm:p-6">
      {list.map(({ icon: Icon, title, words }) => (
        <li key={title} className="grid grid-cols-[auto_1fr] gap-x-3">
          <Icon aria-hidden className="size-6 text-brand" />
          <p>
            <strong className="font-semibold">{title}</strong>
            <span className="block text-[0.9375rem]">{words}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}

type FactsProps = Pick<Route.ComponentProps['loaderData'], 'site' | 'phone'> & {
  questions: ReturnType<typeof customerQuestions>
}

/** The page as search engines and messengers read it. */
const Facts = ({ site: { address, brand }, phone, questions }: FactsProps) => (
  <SharedCard
    title={`${title} · ${brand}`}
    description={description}
    brand={brand}
    address={address}
    facts={[
      {
        '@type': 'Electrician',
        name: brand,
        url: address,
        image: new URL('/icons/card.jpg', address).href,
        telephone: `+52${phone}`,
        areaServed: ['Ciudad de México', 'Huixquilucan', 'Lerma', 'Naucalpan de Juárez', 'Toluca'],
        knowsLanguage: 'es-MX',
      },
      questionFacts(questions),
    ]}
  />
)

/** What the reader's code gives them; one that can't be used is not greeted. */
function CodeNotice({ greeted: { benefit, code } }: { greeted: Redeemed }) {
  return (
    <p className="flex items-center gap-2 justify-self-start rounded-control bg-brand-soft px-3.5 py-2.5 text-[0.9375rem] text-brand">
      <TicketPercent aria-hidden className="size-5 shrink-0" />
      <span>
        {benefit.kind === 'none'
          ? 'Vienes con el código '
          : `Tienes ${lowerFirst(benefitWords(benefit))} con el código `}
        <strong>{code}</strong>.
      </span>
    </p>
  )
}

type Asked = Pick<Route.ComponentProps['loaderData'], 'coverage' | 'estimate' | 'code'>

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
        <p className="text-[0.9375rem] text-mute">{cityAreas[0]?.toUpperCase() + cityAreas.slice(1)}.</p>
      </div>
      <AskForm
        id="cobertura"
        kept={kept}
        asksItself={isWholeCode}
        className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-start"
      >
        <Field
          label="Código postal"
          name="cp"
          inputMode="numeric"
          autoComplete="postal-code"
          enterKeyHint="search"
          maxLength={10}
          placeholder="03100"
          defaultValue={coverage?.postalCode}
          error={coverage?.error ?? undefined}
        />
        <Button type="submit" variant="ghost" className="sm:mt-[1.875rem]">
          Revisar
        </Button>
      </AskForm>
      <div role="status">
        {coverage?.answer && <Answer coverage={coverage} signUp={signUp} kept={kept} />}
      </div>
    </Card>
  )
}

/** A postal code is answered as its fifth digit is typed. */
const isWholeCode = (asked: FormData) => /^\d{5}$/.test(String(asked.get('cp')).trim())

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
      actions={
        <>
          <Start to={signUp}>Avísame cuando lleguen</Start>
          <LinkButton to="/approach#cobertura" variant="ghost">
            Corregir mi código postal
          </LinkButton>
          <LinkButton to={signUp} variant="ghost">
            Agendar asesoría
          </LinkButton>
        </>
      }
    >
      <p>
        Con tu cuenta te avisamos por correo. Mientras tanto, un analista puede resolver tus dudas por video.
      </p>
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
