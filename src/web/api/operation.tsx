import { Details } from '../ui/details.tsx'
import { CodeBlock, WithCode } from './code-block.tsx'
import { FieldList } from './field-list.tsx'
import type { Told } from './reference.ts'

/** One operation: what it does, what it takes and answers, and how it is asked for. */
export function OperationCard({ told }: { told: Told }) {
  const { id, method, path, summary, description, parameters, body, answer, refusals, curl } = told
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-4 border-t border-line pt-6"
    >
      <div className="grid gap-1.5">
        <h3 id={`${id}-title`} className="text-lg font-semibold">
          {summary}
        </h3>
        <p className="flex flex-wrap items-center gap-2">
          <span className="rounded-control bg-brand-soft px-2 py-0.5 text-sm font-semibold text-brand">
            {method}
          </span>
          <code className="wrap-anywhere">{path}</code>
        </p>
      </div>
      <p>
        <WithCode>{description}</WithCode>
      </p>
      <CodeBlock label="Ejemplo">{curl}</CodeBlock>
      <FieldList title="Parámetros" fields={parameters} />
      {body && <FieldList title="Cuerpo" fields={body.fields} />}
      {answer.example && <CodeBlock label={`Respuesta ${answer.status}`}>{answer.example}</CodeBlock>}
      <Details summary="Campos de la respuesta y errores">
        <FieldList title={`Respuesta ${answer.status}`} fields={answer.fields} />
        <dl className="grid gap-2">
          {refusals.map(({ status, description: words }) => (
            <div key={status} className="grid gap-x-5 sm:grid-cols-[3rem_minmax(0,1fr)]">
              <dt className="font-semibold">{status}</dt>
              <dd className="text-[0.9375rem]">
                <WithCode>{words}</WithCode>
              </dd>
            </div>
          ))}
        </dl>
      </Details>
    </section>
  )
}
