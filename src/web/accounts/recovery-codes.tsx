import { useState } from 'react'
import { useSite } from '../lib/site.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { useHydrated } from '../ui/hydrated.ts'

/** The recovery codes, the one time they can be read; a text file of them needs neither a route nor JavaScript. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const brand = useSite()?.brand ?? ''
  const file = `Códigos de recuperación de ${brand}\nCada uno sirve una sola vez.\n\n${codes.join('\n')}\n`
  return (
    <section aria-label="Códigos de recuperación" className="grid gap-4">
      <Alert tone="wait" title="Guarda estos códigos ahora">
        No los volvemos a mostrar. Cada uno sirve una vez, para entrar si no tienes tu teléfono.
      </Alert>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-card bg-hover p-4 font-mono text-[0.9375rem]">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
        <a
          className={buttonClass('ghost')}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download="codigos-de-recuperacion.txt"
        >
          Descargar
        </a>
        <WithScript codes={codes} />
      </div>
    </section>
  )
}

function WithScript({ codes }: { codes: readonly string[] }) {
  const [copied, setCopied] = useState(false)
  if (!useHydrated()) return null
  const copy = () => navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))
  return (
    <>
      <Button variant="ghost" onClick={copy}>
        {copied ? 'Copiados' : 'Copiar'}
      </Button>
      <Button variant="ghost" onClick={() => window.print()}>
        Imprimir
      </Button>
    </>
  )
}
