import { PhotoGrid } from '../../photos/photo-grid.tsx'
import { lowerFirst } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { Feasibility } from '../rules/visit-report.ts'
import type { OwnReport } from './own-reports-server.ts'

/** What a visit found, for its customer: whether a charger can be installed, what it takes, and the photos. */
export const OwnReportCards = ({ report, isCurrent }: { report: OwnReport; isCurrent: boolean }) => (
  <>
    {isCurrent && report.feasibility && <Verdict {...report} feasibility={report.feasibility} />}
    <Card title="Lo que encontramos">
      {isCurrent && !report.isReviewed && (
        <p className="text-mute">Todavía lo revisamos: si algo cambia, aquí lo verás.</p>
      )}
      <DefinitionList items={report.found} />
      <Needs needs={report.needs} />
    </Card>
    <section className="grid gap-4">
      <h2 className="font-semibold">Fotos de tu casa</h2>
      <PhotoGrid kind="visit" files={report.photos} reader="customer" />
    </section>
  </>
)

const verdicts: Record<Feasibility, { tone: Tone; title: string; words: string }> = {
  viable: {
    tone: 'ok',
    title: 'Se puede instalar tu cargador',
    words: 'Tu instalación eléctrica lo permite tal como está. Sigue tu cotización.',
  },
  with_works: {
    tone: 'info',
    title: 'Se puede instalar, con adecuaciones',
    words: 'Antes hay que preparar algo en tu casa. Lo incluimos en tu cotización.',
  },
  not_viable: {
    tone: 'wait',
    title: 'Hoy no se puede instalar tu cargador',
    words: 'No es un no para siempre: un analista busca contigo otra manera.',
  },
}

type VerdictProps = Pick<OwnReport, 'isReviewed' | 'reason'> & { feasibility: Feasibility }

function Verdict({ feasibility, isReviewed, reason }: VerdictProps) {
  const { tone, title, words } = verdicts[feasibility]
  return (
    <Alert
      tone={isReviewed ? tone : 'wait'}
      title={isReviewed ? title : `Por confirmar: ${lowerFirst(title)}`}
      actions={
        feasibility === 'not_viable' && (
          <LinkButton variant="ghost" to="/agenda-videocall">
            Hablar con un analista
          </LinkButton>
        )
      }
    >
      <p>{isReviewed ? words : 'Es lo que vio tu técnico. Lo confirmamos al revisar su reporte.'}</p>
      {/* Once it is certain, the head of the page says why. */}
      {reason && !(isReviewed && feasibility === 'not_viable') && (
        <p className="mt-2 whitespace-pre-line">{reason}</p>
      )}
    </Alert>
  )
}

const needed: Record<keyof OwnReport['needs'], { title: string; words: string }> = {
  loadIncrease: {
    title: 'Aumentar tu carga contratada con CFE',
    words: 'Tu casa y el cargador juntos piden más de lo que tienes contratado.',
  },
  needsUvie: {
    title: 'El dictamen de una UVIE',
    words: 'Una unidad de inspección revisa la instalación y firma lo que CFE pide.',
  },
  needsPermit: {
    title: 'El permiso de tu condominio',
    words: 'Pídelo desde ahora a tu administración: sin él no podemos instalar.',
  },
}

function Needs({ needs }: Pick<OwnReport, 'needs'>) {
  const asked = (Object.keys(needed) as (keyof typeof needed)[]).filter((need) => needs[need])
  if (asked.length === 0) return <p className="text-mute">No hace falta ningún trámite antes de instalar.</p>
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">Lo que hace falta</h3>
      <ul className="grid gap-3">
        {asked.map((need) => (
          <li key={need}>
            <p className="font-medium">{needed[need].title}</p>
            <p className="text-[0.9375rem] text-mute">{needed[need].words}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
