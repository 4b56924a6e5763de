import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'

/** The least time between two lines, in milliseconds. */
const pause = 10_000

/** Prints how far the run is, each failure when it happens and a summary; nothing for each test that passes. */
export default class Progress implements Reporter {
  #all = 0
  #began = 0
  #lastLine = 0
  #done: TestCase[] = []

  onBegin(_config: FullConfig, suite: Suite) {
    this.#all = suite.allTests().length
    this.#began = performance.now()
    this.#lastLine = this.#began
  }

  onTestEnd(test: TestCase, result: TestResult) {
    this.#done.push(test)
    if (result.status !== 'passed' && result.status !== 'skipped') {
      console.log(`\n✗ ${test.titlePath().filter(Boolean).join(' › ')} (${result.status})`)
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
    const tests = [...new Set(this.#done)]
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
