import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'

/** The least time between two lines, in milliseconds. */
const pause = 10_000
const slowest = 10

/** Prints how far the run is, each failure when it happens, the slowest tests and a summary; nothing for each test that passes. */
export default class Progress implements Reporter {
  #all = 0
  #began = 0
  #lastLine = 0
  #done: { title: string; test: TestCase; result: TestResult }[] = []

  onBegin(_config: FullConfig, suite: Suite) {
    this.#all = suite.allTests().length
    this.#began = performance.now()
    this.#lastLine = this.#began
  }

  onTestEnd(test: TestCase, result: TestResult) {
    const title = test.titlePath().filter(Boolean).join(' › ')
    this.#done.push({ title, test, result })
    if (result.status !== 'passed' && result.status !== 'skipped') {
      console.log(`\n✗ ${title} (${result.status})`)
      for (const error of result.errors) console.log(error.stack ?? error.message ?? error.value)
      for (const { path } of result.attachments) if (path) console.log(`  ${path}`)
    }
    const now = performance.now()
    if (now - this.#lastLine < pause) return
    this.#lastLine = now
    const done = this.#done.length
    const left = ((now - this.#began) / done) * (this.#all - done)
    console.log(`${done} of ${this.#all} browser tests, about ${(left / 60_000).toFixed(1)} min left`)
  }

  onError(error: { stack?: string; message?: string }) {
    console.log(error.stack ?? error.message)
  }

  onEnd() {
    if (this.#all > slowest) {
      console.log('\nThe slowest browser tests, in seconds:')
      const sorted = this.#done.toSorted((a, b) => b.result.duration - a.result.duration)
      for (const { title, result } of sorted.slice(0, slowest))
        console.log(`${(result.duration / 1000).toFixed(1).padStart(7)}  ${title}`)
    }
    const tests = [...new Set(this.#done.map(({ test }) => test))]
    const count = (outcome: ReturnType<TestCase['outcome']>) =>
      tests.filter((test) => test.outcome() === outcome).length
    const minutes = ((performance.now() - this.#began) / 60_000).toFixed(1)
    console.log(`Browser: ${minutes} min`)
    console.log(`${count('expected')} passed, ${count('unexpected')} failed, ${count('skipped')} skipped`)
  }

  printsToStdio() {
    return true
  }
}
