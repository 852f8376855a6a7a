import assert from "node:assert/strict";
import { secretParametersProblem } from "../../../../provider/models/cosi-2020-07/provisioner-secrets";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const named = (name: unknown, namespace: unknown) => ({
  "cosi.io/provisioner-secret-name": name,
  "cosi.io/provisioner-secret-namespace": namespace,
});

describe("the parameters that name a provisioner's Secret", () => {
  it("are both there or neither", () => {
    assert.equal(secretParametersProblem({ tier: "hot" }), undefined);
    assert.equal(secretParametersProblem(undefined), undefined);
    assert.equal(secretParametersProblem(named("admin", "ceph")), undefined);
    assert.match(
      secretParametersProblem({ "cosi.io/provisioner-secret-name": "admin" }) ?? "",
      /^have cosi\.io\/provisioner-secret-name without cosi\.io\/provisioner-secret-namespace: give both, or neither$/,
    );
    assert.match(
      secretParametersProblem({ "cosi.io/provisioner-secret-namespace": "ceph" }) ?? "",
      /^have cosi\.io\/provisioner-secret-namespace without cosi\.io\/provisioner-secret-name/,
    );
  });

  it("take the templates of the proposal, and no other", () => {
    const good = [
      "${bucket.name}",
      "${bucket.namespace}",
      "x-${bucket.name}-${bucket.namespace}",
      "${bucket.name}.x",
    ];
    for (const value of good) assert.equal(secretParametersProblem(named(value, "ceph")), undefined, value);
    for (const value of [
      "${pod.name}",
      "a-${bucket.uid}",
      "${}",
      "${bucket.name",
      "${ bucket.name }",
      "$${x}",
    ]) {
      assert.match(secretParametersProblem(named(value, "ceph")) ?? "", /only \$\{bucket\.name\} and/, value);
      assert.match(
        secretParametersProblem(named("admin", value)) ?? "",
        /only \$\{bucket\.name\} and/,
        value,
      );
    }
  });

  it("make names that an object can have", () => {
    for (const value of ["", "Admin", "a/b", "${bucket.name}_", "-${bucket.name}", "$a"]) {
      assert.match(secretParametersProblem(named(value, "ceph")) ?? "", /secret-name, which is "/, value);
    }
    assert.match(secretParametersProblem(named("admin", "a.b")) ?? "", /secret-namespace, which is "a\.b"/);
  });

  it("are not judged while they are not known", () => {
    assert.equal(secretParametersProblem(named(unknown, "ceph")), undefined);
    assert.equal(secretParametersProblem(unknown), undefined);
    assert.match(secretParametersProblem(named(unknown, "${pod.name}")) ?? "", /\$\{pod\.name\}/);
  });
});
