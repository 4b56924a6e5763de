import { turnLabels } from '../../domain/agencies/clients.ts'
import { type Stage, stageLabels, stages } from '../../domain/projects/project.ts'
import { fullName, relative } from '../../domain/shared/format.ts'
import type { Ending } from '../../server/projects/ending.ts'
import type { ProjectFile } from '../../server/projects/file.ts'
import { StageBadge } from '../agencies/stage-badge.tsx'
import type { Failure } from '../lib/submit.ts'
import { Card } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { pipelinePath } from './pipeline-path.ts'
import { ProjectContact } from './project-contact.tsx'
import { EndingCard } from './project-ending.tsx'
import { ProjectEvents } from './project-events.tsx'
import { ProjectMoney } from './project-money.tsx'
import { ProjectAppointments, ProjectCases, ProjectQuotes, ProjectTasks } from './project-parts.tsx'

type ProjectScreenProps = {
  project: ProjectFile
  ending: Ending | null
  result: Failure | undefined
  /** Whether cases with CFE have pages here. */
  hasCases: boolean
  isManager: boolean
  now: Date
}

/** A project on one page: where it stands and whose turn it is, whom to reach, and each of its parts with the way there. */
export function ProjectScreen({ project, ending, result, hasCases, isManager, now }: ProjectScreenProps) {
  const { lastname, name, email, standing } = project
  return (
    <>
      <PageHeader
        title={fullName({ name, lastname }) || email}
        subtitle={<StageBadge stage={standing.stage} />}
        back={{ to: pipelinePath, label: 'Clientes' }}
      />
      <Standing standing={standing} now={now} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          {project.tasks && project.tasks.length > 0 && <ProjectTasks tasks={project.tasks} now={now} />}
          <ProjectAppointments rows={project.appointments} />
          <ProjectQuotes rows={project.quotes} />
          {project.money && (
            <ProjectMoney money={project.money} fiscal={project.fiscal} projectId={project.id} />
          )}
          {project.cases.length > 0 && <ProjectCases rows={project.cases} isLinked={hasCases} now={now} />}
        </div>
        <div className="grid grid-cols-1 gap-4">
          <ProjectContact project={project} isManager={isManager} />
          {ending && <EndingCard ending={ending} result={result} />}
          <ProjectEvents events={project.events} />
        </div>
      </div>
    </>
  )
}

const line: readonly Stage[] = stages.filter((stage) => stage !== 'lost')

/** How far it is, in words and as a line of stages. */
function Standing({ standing, now }: { standing: ProjectFile['standing']; now: Date }) {
  const { since, stage, waitingOn } = standing
  const at = line.indexOf(stage)
  return (
    <Card>
      <p>
        <span className="text-mute">Le toca a </span>
        <strong>{turnLabels[waitingOn]}</strong>
        {since && <span className="text-mute">{`, ${relative(since, now)}`}</span>}
      </p>
      <ol aria-label="Etapas" className="grid grid-cols-4 gap-x-2 gap-y-3 sm:grid-cols-8">
        {line.map((one, n) => (
          <li
            key={one}
            aria-current={one === stage ? 'step' : undefined}
            className="grid content-start gap-1.5"
          >
            <span
              aria-hidden
              className={classNames('h-1.5 rounded-full', n <= at ? 'bg-brand' : 'bg-line')}
            />
            <span className={classNames('text-[0.8125rem]', one === stage ? 'font-semibold' : 'text-mute')}>
              {stageLabels[one]}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
