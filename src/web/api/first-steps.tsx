import { Card } from '../ui/card.tsx'
import { CodeBlock } from './code-block.tsx'

const code = 'rounded bg-hover px-1 py-0.5 text-[0.875em] wrap-anywhere'

/** What holds for every operation: the key, how often, names of requests, pages. */
export function FirstSteps({ base, scopes }: { base: string; scopes: readonly [string, string][] }) {
  return (
    <section id="empezar" aria-labelledby="empezar-title" className="grid scroll-mt-4 gap-4">
      <h2 id="empezar-title" className="text-xl font-semibold">
        Empezar
      </h2>
      <CodeBlock label="Comprueba tu llave">{`curl ${base}/codes \\\n  -H "Authorization: Bearer $LLAVE"`}</CodeBlock>
      <div className="grid gap-4 md:grid-cols-2 md:grid-rows-[auto_auto_1fr]">
        <Card title="La llave" className="md:row-span-3">
          <p>
            La gerencia de Carga en Casa la hace para tu concesionaria y se ve una sola vez. Va en cada
            solicitud, en <code className={code}>Authorization: Bearer</code>. Guárdala en tu servidor; si se
            filtra, pide que la revoquen.
          </p>
          <dl className="grid gap-1.5">
            {scopes.map(([scope, label]) => (
              <div key={scope} className="flex flex-wrap items-baseline gap-x-2">
                <dt>
                  <code className={code}>{scope}</code>
                </dt>
                <dd className="text-[0.9375rem] text-mute">{label}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="Cuántas solicitudes">
          <p>
            120 por minuto y llave. Cada respuesta dice cuántas te quedan en{' '}
            <code className={code}>RateLimit</code>; al pasarte, espera los segundos de{' '}
            <code className={code}>Retry-After</code>.
          </p>
        </Card>
        <Card title="Repetir sin duplicar">
          <p>
            Al registrar, manda una <code className={code}>Idempotency-Key</code> tuya. Si la red se corta y
            repites la solicitud con la misma, dentro de un día, oyes la misma respuesta y no se registra otra
            vez.
          </p>
        </Card>
        <Card title="Páginas">
          <p>
            Las listas van de lo más antiguo a lo más nuevo. Mientras <code className={code}>next</code> no
            sea null, pide la que sigue con <code className={code}>?cursor=</code> y ese valor.
          </p>
        </Card>
      </div>
    </section>
  )
}
