import { TicketPercent } from 'lucide-react'
import { data } from 'react-router'
import { db } from '../../server/app/context.ts'
import { shownSettings } from '../../server/settings/queries.ts'
import { Help } from '../app/help.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import type { Route } from './+types/approach.ts'
import { askedCoverage, askedEstimate } from './asked.ts'
import { useCarriedCode } from './carried-code.ts'
import { CoverageCard } from './coverage-card.tsx'
import { EstimateCard } from './estimate-card.tsx'
import { firstTouch, rememberTouch } from './first-touch.ts'
import { Steps } from './steps.tsx'

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

/** What the other form of the page asked, so that the answer of one does not take away that of the other. */
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
