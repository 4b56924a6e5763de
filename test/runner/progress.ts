import { DefaultReporter, type TestModule, type TestRunEndReason, type TestSpecification } from 'vitest/node'

/** The least time between two lines, in milliseconds. */
const pause = 10_000
const slowest = 10

/** Prints how far the run is, each failure when it happens, the slowest files and a summary; nothing for each file that passes. */
export default class Progress extends DefaultReporter {
  #files = 0
  #done: TestModule[] = []
  #began = 0
  #lastLine = 0

  constructor() {
    super({ summary: false })
  }

  override onTestRunStart(specifications: readonly TestSpecification[]) {
    super.onTestRunStart(specifications)
    this.#files = specifications.length
    this.#done = []
    this.#began = performance.now()
    this.#lastLine = this.#began
  }

  override onTestModuleEnd(module: TestModule) {
    this.#done.push(module)
    if (!module.ok() || this.#files <= slowest) super.onTestModuleEnd(module)
    const now = performance.now()
    if (now - this.#lastLine < pause) return
    this.#lastLine = now
    const done = this.#done.length
    const left = ((now - this.#began) / done) * (this.#files - done)
    this.log(`${done} of ${this.#files} files, about ${(left / 60_000).toFixed(1)} min left`)
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ) {
    if (this.#files > slowest) {
      this.log('\nThe slowest files, in seconds of their own:')
      const sorted = this.#done.toSorted((a, b) => b.diagnostic().duration - a.diagnostic().duration)
      for (const module of sorted.slice(0, slowest))
        this.log(
          `${(module.diagnostic().duration / 1000).toFixed(1).padStart(7)}  ${module.relativeModuleId}`,
        )
    }
    super.onTestRunEnd(modules, errors, reason)
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((each) => each.result().state),
    )
    const count = (state: string) => states.filter((one) => one === state).length
    this.log(`tests: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  }
}
