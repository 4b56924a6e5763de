import { CircleCheck, CloudUpload, RefreshCw, Smartphone } from 'lucide-react'
import type { DraftFile } from '../offline/draft.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'

type FileStateProps = { file: DraftFile; retry: (id: string) => void }

/** Where a picture is on its way to us. */
export function FileState({ file: { id, status, progress, problem }, retry }: FileStateProps) {
  switch (status) {
    case 'stored':
      return (
        <Badge tone="ok" icon={CircleCheck}>
          Enviada
        </Badge>
      )
    case 'waiting':
      return (
        <Badge tone="info" icon={Smartphone}>
          Guardada en el teléfono
        </Badge>
      )
    case 'sending':
      return (
        <Badge tone="info" icon={CloudUpload}>
          Enviando {Math.round(progress)} %
        </Badge>
      )
    case 'refused':
      return (
        <>
          <Badge tone="bad">No se pudo enviar</Badge>
          {problem && <p className="text-sm">{problem}</p>}
          <Button variant="ghost" className="noscript:hidden" onClick={() => retry(id)}>
            <RefreshCw aria-hidden className="size-4.5" />
            Reintentar
          </Button>
        </>
      )
  }
}
