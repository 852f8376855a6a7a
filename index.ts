export * as cosi20200227 from "./components/cosi20200227";
export * as cosi20200708 from "./components/cosi20200708";
export * as deployment from "./components/deployment";
export * as objectbucket from "./components/objectbucket";
export * as objectstorage from "./components/objectstorage";
export * from "./core";
