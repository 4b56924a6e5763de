type Refused = { code: string; status: number; title: string; detail: string }

/** Every code of an error, each with a place of its own that answers lead to. */
export function ProblemTable({ refused }: { refused: readonly Refused[] }) {
  return (
    <section id="errores" aria-labelledby="errores-title" className="grid scroll-mt-4 gap-4">
      <h2 id="errores-title" className="text-xl font-semibold">
        Errores
      </h2>
      <p className="max-w-3xl">
        Vienen como application/problem+json (RFC 9457), en español para quien los lea. Tu programa decide por{' '}
        <code className="rounded bg-hover px-1 py-0.5 text-[0.875em]">code</code>, que no cambia. Si pides
        ayuda, dinos el <code className="rounded bg-hover px-1 py-0.5 text-[0.875em]">requestId</code>.
      </p>
      <dl className="divide-y divide-line border-y border-line">
        {refused.map(({ code, status, title, detail }) => (
          <div
            key={code}
            id={`problema-${code}`}
            className="grid scroll-mt-4 gap-x-5 gap-y-0.5 py-2.5 target:bg-brand-soft sm:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <dt>
              <code className="text-[0.875rem] font-semibold wrap-anywhere">{code}</code>
              <span className="block text-sm text-mute">{status}</span>
            </dt>
            <dd className="text-[0.9375rem]">
              {title}. <span className="text-mute">{detail}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
